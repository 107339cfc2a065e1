// The one place that knows the library. Without JSX and without hooks: preact's core is one file that imports nothing, so that the
// page needs no import map and its policy stays 'self' alone.
import { h, render, Component, createRef } from './vendor/preact/preact.module.js';

export { h, render, Component, createRef };

// A vnode of preact has no constructor, so plain objects are properties.
const isProps = (thing) => thing !== null && typeof thing === 'object' && thing.constructor === Object;

/** `tags.div({ class: 'card' }, 'text')`, or without properties `tags.div('text')`. */
export const tags = new Proxy({}, {
  get: (made, name) => (made[name] ??= (...things) =>
    isProps(things[0]) ? h(name, things[0], ...things.slice(1)) : h(name, null, ...things)),
});

// Whatever failed for good, in all features.
import { h, tags } from '../dom.js';
import { t } from '../words.js';
import { path } from '../api.js';
import { to } from '../route.js';
import * as f from '../format.js';
import { Card, Data, Empty, Head, Id, Moment, Table } from '../parts.js';

const { a, div, p, span } = tags;
const FEW = 10; // of each; its own page has them all
const MOST_KINDS = 20; // asked for at once

const Few = ({ title, kind, n, all, from, href, id, at }) => h(Card, { title: a({ href: all }, title), aside: [kind, f.count(n)].filter(Boolean).join(' · ') },
  h(Data, { from }, ({ items }) => h(Table, {
    label: title, keys: false, rows: items, id: (one) => one.id, empty: h(Empty, { text: t('dead.none') }),
    columns: [
      { name: t('id'), kind: 'wide', show: (one) => a({ href: href(one) }, h(Id, null, id(one))) },
      { name: t('finished'), show: (one) => h(Moment, { at: at(one) }) },
      { name: t('attempts'), kind: 'figure-cell', show: (one) => one.attempt },
      { name: t('error'), show: (one) => one.error && span({ class: 'cut', title: one.error }, one.error.split('\n', 1)[0]) },
    ],
  })));

export const Dead = () => h(Data, { from: 'overview' }, ({ inboxes, buffers, tasks, runs }) => {
  const sources = [
    ...inboxes.filter((one) => one.counts.dead > 0).map(({ name, counts }) => ({ title: name, kind: t('kind.inbox'), n: counts.dead, all: to(['inboxes', name], { state: 'DEAD' }),
      from: path`inboxes/${name}/messages` + `?state=DEAD&limit=${FEW}`, href: (one) => to(['inboxes', name, one.id]), id: (one) => one.id, at: (one) => one.finishedAt })),
    ...buffers.filter((one) => one.counts.dead > 0).map(({ name, counts }) => ({ title: name, kind: t('kind.buffer'), n: counts.dead, all: to(['buffers', name], { show: 'dead' }),
      from: path`buffers/${name}/dead` + `?limit=${FEW}`, href: (one) => to(['buffers', name, 'dead', one.id]), id: (one) => `${one.key} · ${one.id}`, at: (one) => one.deadAt })),
    ...tasks.filter((one) => one.byState.DEAD > 0).map(({ type, byState }) => ({ title: type, kind: t('kind.task'), n: byState.DEAD, all: to(['tasks', 'type', type], { state: 'DEAD' }),
      from: 'tasks?' + new URLSearchParams({ type, state: 'DEAD', limit: FEW }), href: (one) => to(['tasks', one.id]), id: (one) => one.key ?? one.id, at: (one) => one.finishedAt })),
    ...(runs.dead > 0 ? [{ title: t('runs'), n: runs.dead, all: to(['runs'], { state: 'DEAD' }), from: `runs?state=DEAD&limit=${FEW}`,
      href: (one) => to(['runs', one.id]), id: (one) => `${one.job} · ${one.id}`, at: (one) => one.finishedAt }] : []),
  ];
  return div(null, h(Head, { title: t('dead') }),
    sources.length === 0 ? h(Empty, { text: t('dead.none') }) : sources.slice(0, MOST_KINDS).map((source) => h(Few, { key: source.all, ...source })),
    sources.length > MOST_KINDS && p({ class: 'soft' }, t('dead.more', { n: f.count(sources.length - MOST_KINDS) })));
});

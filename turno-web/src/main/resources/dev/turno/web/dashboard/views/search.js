// Whatever has an id, key, number or subject in all features, and what waits or failed with a text in its id or error.
import { h, tags } from '../dom.js';
import { t } from '../words.js';
import { query } from '../api.js';
import { to } from '../route.js';
import { Data, Empty, Head, Id, State, Table } from '../parts.js';

const { a, div, p, span } = tags;

const PLACES = {
  inbox: (one) => to(['inboxes', one.name, one.id]),
  buffer: (one) => to(['buffers', one.name, one.id]),
  lock: (one) => to(['locks', one.id]),
  task: (one) => to(['tasks', one.id]),
  run: (one) => to(['runs', one.id]),
};
const SECTION = { inbox: 'inboxes', buffer: 'buffers', lock: 'locks', task: 'tasks', run: 'runs' };

export const Search = ({ query: { q = '' } }) => div(null, h(Head, { title: t('search.title', { q }) }),
  q && h(Data, { from: 'find' + query({ q }) }, ({ items, isWhole }) => div(null, !isWhole && p({ class: 'soft' }, t('search.part')), h(Table, {
    label: t('search'), rows: items, id: (one) => one.kind + one.name + one.id, href: (one) => PLACES[one.kind](one), empty: h(Empty, { text: t('search.none', { q }) }),
    columns: [
      { name: t('what'), show: (one) => t(SECTION[one.kind]) },
      { name: t('name'), show: (one) => one.name },
      { name: t('id'), kind: 'wide', show: (one) => a({ href: PLACES[one.kind](one) }, h(Id, null, one.id)) },
      { name: t('state'), show: (one) => h(State, { state: one.state }) },
      { name: t('error'), show: (one) => one.error && span({ class: 'cut', title: one.error }, one.error) },
    ],
  }))), p({ class: 'soft small' }, t('search.hint')));

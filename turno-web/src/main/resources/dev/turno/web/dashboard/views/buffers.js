// Buffers: what waits for which key, when it is handed over, and the bursts that failed for good.
import { h, tags } from '../dom.js';
import { t } from '../words.js';
import { path, post, query } from '../api.js';
import { to } from '../route.js';
import * as f from '../format.js';
import { Act, Card, Count, Countdown, Data, Empty, ErrorText, Facts, Filter, Head, Id, Moment, Pager, State, Table, Tabs, Why } from '../parts.js';

const { a, div, li, span, time, ul } = tags;

const ADD = 'curl -X POST .../api/v1/buffers/whatsapp/+5255/messages -H "Authorization: Bearer $TURNO_TOKEN" -d \'{"body":"hola"}\'';

const ListOfBuffers = () => div(null, h(Head, { title: t('buffers') }),
  h(Data, { from: 'buffers?limit=1000' }, ({ items }) => h(Table, {
    label: t('buffers'), rows: items, id: (one) => one.name, href: (one) => to(['buffers', one.name]), empty: h(Empty, { text: t('buffers.empty'), command: ADD }),
    columns: [
      { name: t('name'), kind: 'wide', show: (one) => a({ href: to(['buffers', one.name]) }, one.name) },
      { name: t('state.PENDING'), kind: 'figure-cell', show: (one) => h(Count, { n: one.counts.pending, href: to(['buffers', one.name]) }) },
      { name: t('state.DOING'), kind: 'figure-cell', show: (one) => h(Count, { n: one.counts.doing, href: to(['buffers', one.name]) }) },
      { name: t('state.DEAD'), kind: 'figure-cell', show: (one) => h(Count, { n: one.counts.dead, href: to(['buffers', one.name], { show: 'dead' }) }) },
    ],
  })));

const Flush = ({ buffer, id, tiny }) => h(Act, { label: t('flush'), tiny, question: t('flush.ask', { id }),
  run: () => post(path`buffers/${buffer}/${id}/flush`).then(({ flushed }) => (flushed ? t('flushed') : t('keys.empty'))) });

const Keys = ({ name, q }) => h(Data, { from: path`buffer-keys/${name}` + query({ q }) }, ({ items }) => h(Table, {
  label: t('keys'), rows: items, id: (one) => one.key, href: (one) => to(['buffers', name, one.key]), empty: h(Empty, { text: t('keys.empty') }),
  columns: [
    { name: t('key'), kind: 'wide', show: (one) => a({ href: to(['buffers', name, one.key]) }, h(Id, null, one.key)) },
    { name: t('state'), show: (one) => h(State, { state: one.state }) },
    { name: t('waiting'), kind: 'figure-cell', show: (one) => f.number(one.waiting) },
    { name: t('in.burst'), kind: 'figure-cell', show: (one) => f.number(one.inBurst) },
    { name: t('quiet.in'), show: (one) => h(Countdown, { at: one.flushAt }) },
    { name: t('latest.in'), show: (one) => h(Countdown, { at: one.atTheLatest }) },
    { name: t('error'), show: (one) => one.error && span({ class: 'cut', title: one.error }, one.error.split('\n', 1)[0]) },
    { name: '', kind: 'fit', show: (one) => one.waiting > 0 && h(Flush, { buffer: name, id: one.key, tiny: true }) },
  ],
}));

const Revive = ({ name, id, tiny, primary }) => h(Act, { label: t('revive'), tiny, primary, question: t('revive.ask', { id }), reason: 'optional',
  run: ({ reason }) => post(path`buffers/${name}/dead/${id}/revive`, undefined, reason) });

const DeadBursts = ({ name, after }) => h(Data, { from: path`buffers/${name}/dead` + query({ after, limit: 50 }) }, ({ items, next }) => div(null, h(Table, {
  label: t('dead.bursts'), rows: items, id: (one) => one.id, href: (one) => to(['buffers', name, 'dead', one.id]), empty: h(Empty, { text: t('bursts.empty') }),
  columns: [
    { name: t('id'), kind: 'figure-cell', show: (one) => a({ href: to(['buffers', name, 'dead', one.id]) }, one.id) },
    { name: t('key'), kind: 'wide', show: (one) => h(Id, null, one.key) },
    { name: t('size'), kind: 'figure-cell', show: (one) => f.number(one.size) },
    { name: t('attempts'), kind: 'figure-cell', show: (one) => one.attempt },
    { name: t('finished'), show: (one) => h(Moment, { at: one.deadAt }) },
    { name: t('error'), show: (one) => span({ class: 'cut', title: one.error }, (one.error ?? '').split('\n', 1)[0]) },
    { name: '', kind: 'fit', show: (one) => (one.revived ? h(State, { state: 'PENDING' }) : h(Revive, { name, id: one.id, tiny: true })) },
  ],
}), h(Pager, { next, n: items.length, after })));

const OneBuffer = ({ name, show, q, after }) => h(Data, { from: 'buffers?limit=1000' }, ({ items }) => {
  const counts = items.find((one) => one.name === name)?.counts ?? { pending: 0, doing: 0, dead: 0 };
  return div(null, h(Head, { title: name, crumbs: [[t('buffers'), to(['buffers'])]] }),
    div({ class: 'bar' },
      h(Tabs, { label: t('state'), name: 'show', shown: show, items: [{ value: 'keys', text: t('keys'), n: counts.pending + counts.doing },
        { value: 'dead', text: t('dead.bursts'), n: counts.dead }] }),
      show === 'keys' && h(Filter, { value: q, placeholder: t('key') })),
    show === 'dead' ? h(DeadBursts, { name, after }) : h(Keys, { name, q }));
});

const Messages = ({ items }) => ul({ class: 'bubbles' }, items.map((one) => li({ key: one.seq },
  time({ class: 'soft mono', dateTime: one.addedAt, title: f.exact(one.addedAt) }, f.clock(one.addedAt)), span(null, one.body))));

const OneKey = ({ name, id }) => h(Data, { from: path`buffers/${name}/keys/${id}` }, (key) => div(null,
  h(Head, { title: id, crumbs: [[t('buffers'), to(['buffers'])], [name, to(['buffers', name])]], state: key.state }, key.waiting > 0 && h(Flush, { buffer: name, id })),
  key.error && h(Card, { title: t('error') }, h(ErrorText, { text: key.error })),
  div({ class: 'two' },
    h(Card, { title: t('what.waits') }, h(Data, { from: path`buffer-keys/${name}/${id}` }, ({ items }) =>
      (items.length ? h(Messages, { items }) : h(Empty, { text: t('keys.empty') })))),
    div(null, h(Why, { kind: 'buffer', id: [name, id] }),
      h(Card, { title: t('facts') }, h(Facts, { facts: [
        [t('waiting'), f.number(key.waiting)], [t('in.burst'), f.number(key.inBurst)], key.flushAt ? [t('quiet.in'), h(Countdown, { at: key.flushAt })] : [],
        [t('attempt'), key.attempt], [t('fence'), key.fence], [t('node'), key.node], key.heldUntil ? [t('held.until'), h(Moment, { at: key.heldUntil })] : [],
        [t('dead.bursts'), h(Count, { n: key.dead, href: to(['buffers', name], { show: 'dead' }) })]] }))))));

const OneBurst = ({ name, id }) => h(Data, { from: path`buffers/${name}/dead/${id}` }, (burst) => div(null,
  h(Head, { title: `${burst.key} · ${id}`, crumbs: [[t('buffers'), to(['buffers'])], [name, to(['buffers', name], { show: 'dead' })]], state: burst.revived ? 'PENDING' : 'DEAD' },
    !burst.revived && h(Revive, { name, id, primary: true })),
  burst.error && h(Card, { title: t('error') }, h(ErrorText, { text: burst.error })),
  div({ class: 'two' }, h(Card, { title: t('messages') }, h(Messages, { items: burst.messages })),
    h(Card, { title: t('facts') }, h(Facts, { facts: [[t('key'), h(Id, null, burst.key)], [t('size'), f.number(burst.size)], [t('attempts'), burst.attempt],
      [t('finished'), h(Moment, { at: burst.deadAt })]] })))));

export const Buffers = ({ way: [, name, key, burst], query: { show = 'keys', q, after } }) => (
  burst !== undefined && key === 'dead' ? h(OneBurst, { name, id: burst })
    : key !== undefined ? h(OneKey, { name, id: key }) : name !== undefined ? h(OneBuffer, { name, show, q, after }) : h(ListOfBuffers));

// Is anything wrong, where, since when, and what can I do?
import { h, tags } from '../dom.js';
import { t } from '../words.js';
import { post, query } from '../api.js';
import { to } from '../route.js';
import * as f from '../format.js';
import { Act, Card, Count, Data, Head, lifeOf, Meter, Moment, Spark, Tabs } from '../parts.js';
import { Latency, Throughput } from '../charts.js';

const { a, div, li, p, span, ul } = tags;

/** Where to look at it. */
const PLACES = {
  inbox: (item) => (item.kind === 'unseen' ? to(['inboxes']) : item.kind === 'paused' ? to(['inboxes', item.name]) : to(['inboxes', item.name], { state: 'DEAD' })),
  buffer: (item) => (item.kind === 'unseen' ? to(['buffers']) : to(['buffers', item.name], { show: 'dead' })),
  task: (item) => to(['tasks', 'type', item.name], { state: item.kind === 'dead' ? 'DEAD' : 'PENDING' }),
  run: () => to(['runs'], { state: 'DEAD' }),
  holder: () => to(['holders']),
  schedule: (item) => to(['tasks', 'schedule', item.name]),
  lock: (item) => (item.kind === 'unseen' ? to(['locks']) : to(['locks', item.name])),
};
const MILD = ['paused', 'overdue', 'long', 'unseen'];

function AttentionItem({ item }) {
  const word = 'attention.' + item.kind + (item.kind === 'dead' || item.kind === 'unseen' ? '.' + item.of : '');
  const place = PLACES[item.of]?.(item) ?? to([item.of]);
  return li(null, span({ class: 'mark' + (MILD.includes(item.kind) ? ' mild' : ''), 'aria-hidden': true }, '▲'),
    span({ class: 'what' }, t(word, { n: item.count === 1 ? 1 : f.count(item.count), name: item.name })),
    item.since && span({ class: 'soft small' }, h(Moment, { at: item.since })),
    a({ class: 'to', href: place, 'aria-label': t('open') + ' ' + (item.name || item.of) }, t('open') + ' ›'));
}

const Attention = () => h(Card, { title: t('attention') }, h(Data, { from: 'attention' }, ({ items }) =>
  items.length === 0 ? p({ class: 'good' }, '● ' + t('attention.none')) : ul({ class: 'attention' }, items.map((item) => h(AttentionItem, { item })))));

const Figure = ({ label, value, href, bad, title, children }) =>
  a({ class: 'figure' + (bad ? ' bad' : ''), href, title }, div({ class: 'label' }, label), div({ class: 'value' }, value), children);

/** Of the last five points that are over. */
const recent = (history, names) => {
  const points = history.points.slice(-6, -1);
  return points.reduce((sum, point) => sum + names.reduce((n, name) => n + point[name], 0), 0) / (points.length * history.seconds);
};

const Rates = () => h(Data, { from: 'history?range=live' }, (history) => div({ class: 'figures' },
  h(Figure, { label: t('done.rate'), value: f.rate(recent(history, ['done'])), href: to(['inboxes']) },
    h(Spark, { values: history.points.slice(0, -1).map((point) => point.done), label: t('range.live') })),
  h(Figure, { label: t('failed.rate'), value: f.rate(recent(history, ['again', 'dead'])), bad: recent(history, ['dead']) > 0, href: to(['dead']) },
    h(Spark, { kind: 'failed', values: history.points.slice(0, -1).map((point) => point.again + point.dead), label: t('range.live') })),
  h(Data, { from: 'oldest' }, ({ items }) => {
    const [worst] = [...items].sort((one, other) => one.turnAt.localeCompare(other.turnAt));
    const age = worst && Math.max(0, Date.now() - new Date(worst.turnAt).getTime());
    return h(Figure, { label: t('oldest'), value: worst ? f.duration(age) : '–', bad: age > 60_000, title: worst && f.exact(worst.turnAt),
      href: worst ? to(['inboxes', worst.inbox], { state: 'PENDING' }) : to(['inboxes']) }, span({ class: 'soft small' }, worst ? worst.inbox : t('oldest.none')));
  }),
  h(Data, { from: 'holders' }, ({ items }) => {
    const alive = items.filter((one) => lifeOf(one) === 'alive');
    const all = items.filter((one) => lifeOf(one) !== 'left');
    return h(Figure, { label: t('live.holders'), value: `${alive.length} / ${all.length}`, bad: alive.length < all.length, href: to(['holders']) },
      span({ class: 'soft small' }, alive.slice(0, 3).map((one) => one.node).join(' · ')));
  })));

const Chart = ({ range }) => div({ class: 'two' },
  h('section', { class: 'card' },
    div({ class: 'bar' }, h('h2', null, t('throughput')),
      h(Tabs, { label: t('throughput'), name: 'range', shown: range, items: ['live', 'hour', 'day', 'week'].map((value) => ({ value, text: t('range.' + value) })) })),
    h(Data, { from: 'history' + query({ range }) }, (history) => h(Throughput, { history, range, key: range }))),
  h('section', { class: 'card' }, div({ class: 'bar' }, h('h2', null, t('latency'))),
    h(Data, { from: 'history' + query({ range }) }, (history) => h(Latency, { history, range, key: range }))));

const counted = (figures, state) => figures.reduce((n, one) => n + (one.byState[state] ?? 0), 0);

const Feature = ({ name, kind, href, figures, parts }) => h('section', { class: 'card' },
  div({ class: 'card-head' }, h('h2', null, a({ href }, name)), kind && span({ class: 'soft small' }, kind)),
  h(Meter, { label: name, parts: parts.map(([state, n]) => [state, n]) }),
  div({ class: 'row small' }, figures.map(([label, n, to_]) => span(null, span({ class: 'soft' }, label + ' '), h(Count, { n, href: to_ })))));

const Features = () => h(Data, { from: 'overview' }, (all) => div({ class: 'cards' },
  all.inboxes.map(({ name, counts }) => h(Feature, { key: 'i' + name, name, kind: t('kind.inbox'), href: to(['inboxes', name]),
    parts: [['DOING', counts.doing], ['PENDING', counts.pending], ['DEAD', counts.dead]],
    figures: ['PENDING', 'DOING', 'DONE', 'DEAD'].map((state) => [t('state.' + state), counts[state.toLowerCase()], to(['inboxes', name], { state })]) })),
  all.buffers.map(({ name, counts }) => h(Feature, { key: 'b' + name, name, kind: t('kind.buffer'), href: to(['buffers', name]),
    parts: [['DOING', counts.doing], ['PENDING', counts.pending], ['DEAD', counts.dead]],
    figures: [[t('state.PENDING'), counts.pending, to(['buffers', name])], [t('state.DOING'), counts.doing, to(['buffers', name])],
      [t('state.DEAD'), counts.dead, to(['buffers', name], { show: 'dead' })]] })),
  h(Feature, { name: t('tasks'), href: to(['tasks']), parts: ['DOING', 'ASSIGNED', 'PENDING', 'DEAD'].map((state) => [state, counted(all.tasks, state)]),
    figures: ['PENDING', 'ASSIGNED', 'DOING', 'DEAD'].map((state) => [t('state.' + state), counted(all.tasks, state), to(['tasks'])]) }),
  h(Feature, { name: t('runs'), href: to(['runs']), parts: [['DOING', all.runs.doing], ['PENDING', all.runs.pending], ['DEAD', all.runs.dead]],
    figures: ['PENDING', 'DOING', 'PARKED', 'DEAD'].map((state) => [t('state.' + state), all.runs[state.toLowerCase()], to(['runs'], { state })]) })));

/** Only where the demo runs: one sees the work of a node move over. */
const Kill = () => h(Data, { from: 'overview', quiet: true }, ({ demo }) =>
  demo && h(Act, { label: t('kill'), danger: true, question: t('kill.ask'), run: () => post('demo/kill') }));

export const Overview = ({ query: { range = 'live' } }) => div(null,
  h(Head, { title: t('overview') }, h(Kill)),
  h(Rates), h(Attention), h(Chart, { range }), h(Features));

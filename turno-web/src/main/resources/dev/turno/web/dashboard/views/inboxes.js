// Inboxes, their messages, one message.
import { h, tags, Component } from '../dom.js';
import { t } from '../words.js';
import { path, post, query } from '../api.js';
import { go, to } from '../route.js';
import * as f from '../format.js';
import { Act, ask, Body, Card, Count, Data, Empty, ErrorText, Facts, Filter, Head, Id, mayAct, Meter, Moment, Pager, perform, ShortError, Spark, State, Table, Tabs,
  Timeline, Why } from '../parts.js';

const { a, button, div, span } = tags;
const STATES = ['PENDING', 'DOING', 'DONE', 'DEAD', 'CANCELLED'];
const ACTS = { PENDING: ['HASTEN', 'CANCEL'], DEAD: ['REVIVE', 'CANCEL'] };

const PUT = 'curl -X POST .../api/v1/inboxes/orders/messages -H "Authorization: Bearer $TURNO_TOKEN" -d \'{"id":"order-1","body":"hello"}\'';

const Pause = ({ name, paused, tiny }) => (paused
  ? h(Act, { label: t('resume'), tiny, run: () => post(path`inboxes/${name}/resume`) })
  : h(Act, { label: t('pause'), tiny, question: t('pause.ask', { name }), reason: 'optional', run: ({ reason }) => post(path`inboxes/${name}/pause`, undefined, reason) }));

const ListOfInboxes = () => div(null, h(Head, { title: t('inboxes') }),
  h(Data, { from: 'inboxes?limit=1000' }, ({ items }) => h(Data, { from: 'history/sparks' }, (sparks) => h(Table, {
    label: t('inboxes'), rows: items, id: (one) => one.name, href: (one) => to(['inboxes', one.name]),
    empty: h(Empty, { text: t('inboxes.empty'), command: PUT }),
    columns: [
      { name: t('name'), kind: 'wide', show: (one) => a({ href: to(['inboxes', one.name]) }, one.name) },
      { name: '', show: (one) => one.paused && h(State, { state: 'PAUSED' }) },
      ...['PENDING', 'DOING', 'DONE', 'DEAD'].map((state) => ({ name: t('state.' + state), kind: 'figure-cell',
        show: (one) => h(Count, { n: one.counts[state.toLowerCase()], href: to(['inboxes', one.name], { state }) }) })),
      { name: '', show: ({ name, counts }) => h(Meter, { label: name, parts: [['DOING', counts.doing], ['PENDING', counts.pending], ['DEAD', counts.dead]] }) },
      { name: t('limit'), kind: 'figure-cell', show: (one) => (one.concurrency ? span({ title: t('limit.hint') }, f.number(one.concurrency)) : '–') },
      { name: t('last.30'), show: ({ name }) => {
        const values = sparks['inbox ' + name] ?? [];
        return div({ style: { width: '110px' } }, h(Spark, { values, label: f.number(values.reduce((sum, n) => sum + n, 0)) }));
      } },
      { name: '', kind: 'fit', show: (one) => h(Pause, { ...one, tiny: true }) },
    ],
  }))));

/** One after the other, so that one that is refused does not keep the others. */
async function each(ids, act) {
  let refused = 0;
  for (const id of ids) {
    try {
      await act(id);
    } catch (problem) {
      if (problem.status !== 409 && problem.status !== 404) throw problem;
      refused++;
    }
  }
  return t('bulk.progress', { done: ids.length - refused, n: ids.length, refused });
}

class ListOfMessages extends Component {
  constructor(props) {
    super(props);
    this.state = { selected: new Set() };
  }

  componentDidUpdate(before) {
    if (before.state !== this.props.state || before.q !== this.props.q || before.after !== this.props.after) this.setState({ selected: new Set() });
  }

  bulk(what, danger, act) {
    const ids = [...this.state.selected];
    const { name } = this.props;
    return button({ type: 'button', class: danger ? 'danger' : '', onClick: async () => {
      const answer = await ask({ title: what, text: t('bulk.ask', { what, n: f.number(ids.length), name }), danger, reason: danger ? 'required' : 'optional' });
      if (answer && await perform(what, () => each(ids, (id) => act(id, answer.reason)))) this.setState({ selected: new Set() });
    } }, what);
  }

  render({ name, state, q, after, counts }, { selected }) {
    const alive = state === 'PENDING' || state === 'DEAD';
    const n = selected.size;
    return h(Data, { from: path`inboxes/${name}/messages` + query({ state, q, after, limit: 50 }) }, ({ items, next }) => {
      return div(null,
        mayAct() && alive && n > 0 && div({ class: 'bulk' }, t('selected', { n }),
          state === 'DEAD' && this.bulk(t('revive.selected', { n }), false, (id, reason) => post(path`inboxes/${name}/messages/${id}/revive`, undefined, reason)),
          this.bulk(t('cancel.selected', { n }), true, (id, reason) => post(path`inboxes/${name}/messages/${id}/cancel`, undefined, reason))),
        mayAct() && alive && n === 0 && items.length > 0 && div({ class: 'bar' }, ACTS[state].map((act) =>
          a({ class: 'button', href: to(['bulk', name], { act, state, q }) }, t(`bulk.${act}.all`, { n: q ? t('bulk.matching') : f.count(counts[state.toLowerCase()]) })))),
        h(Table, {
          label: t('messages'), rows: items, id: (one) => one.id, href: (one) => to(['inboxes', name, one.id]),
          selected: mayAct() && alive ? selected : undefined, onSelect: (now) => this.setState({ selected: now }),
          empty: h(Empty, { text: t('messages.empty') }),
          columns: [
            { name: t('id'), kind: 'wide', show: (one) => a({ href: to(['inboxes', name, one.id]) }, h(Id, null, one.id)) },
            { name: t('state'), show: (one) => h(State, { state: one.state }) },
            { name: t('attempt'), kind: 'figure-cell', show: (one) => one.attempt },
            { name: t('put'), show: (one) => h(Moment, { at: one.putAt }) },
            state === 'PENDING' ? { name: t('turn'), show: (one) => h(Moment, { at: one.turnAt, none: one.orderingKey ? t('tl.behind') : '–' }) }
              : state === 'DOING' ? { name: t('held.until'), show: (one) => h(Moment, { at: one.heldUntil }) }
                : { name: t('finished'), show: (one) => h(Moment, { at: one.finishedAt }) },
            { name: t('node'), show: (one) => one.node },
            { name: t('error'), show: (one) => one.error && span({ class: 'cut', title: one.error }, one.error.split('\n', 1)[0]) },
          ],
        }),
        h(Pager, { next, n: items.length, after }));
    });
  }
}

const OneInbox = ({ name, state, q, after }) => h(Data, { from: path`inboxes/${name}` }, ({ paused, counts, concurrency }) => div(null,
  h(Head, { title: name, crumbs: [[t('inboxes'), to(['inboxes'])]], state: paused && 'PAUSED' },
    concurrency && span({ class: 'soft', title: t('limit.hint') }, `${t('limit')} ${f.number(concurrency)}`), h(Pause, { name, paused })),
  div({ class: 'bar' },
    h(Tabs, { label: t('state'), shown: state, items: STATES.map((value) => ({ value, n: counts[value.toLowerCase()] })) }),
    h(Filter, { value: q, placeholder: t('filter') })),
  h(ListOfMessages, { name, state, q, after, counts })));

/** What failed before, oldest first; where nobody wrote it down, the last error alone. */
export const failed = (failures, item) => (failures.length > 0
  ? [...failures].reverse().map(({ attempt, at, error }) => ({ kind: 'bad', text: t('tl.failed', { n: attempt }), at, more: h(ShortError, { text: error }) }))
  : item.error ? [{ kind: 'bad', text: t('tl.failed', { n: item.state === 'DOING' ? item.attempt - 1 : item.attempt }), more: h(ShortError, { text: item.error }) }] : []);

const steps = (m, failures) => [
  { text: t('tl.put'), at: m.putAt },
  ...failed(failures, m),
  m.state === 'PENDING' && { kind: 'now', text: m.turnAt ? t('tl.waits') : t('tl.behind'), at: m.turnAt },
  m.state === 'DOING' && { kind: 'now', text: t('tl.taken', { node: m.node ?? '?' }), more: t('tl.attempts', { n: m.attempt }) },
  m.state === 'DONE' && m.attempt > 0 && { text: t('tl.taken', { node: m.node ?? '?' }), more: t('tl.attempts', { n: m.attempt }) },
  m.state === 'DONE' && { kind: 'good', text: t('tl.done'), at: m.finishedAt },
  m.state === 'DEAD' && { kind: 'bad', text: t('tl.dead'), at: m.finishedAt },
  m.state === 'CANCELLED' && { text: t('tl.cancelled'), at: m.finishedAt },
];

/** What was hidden from whoever looks must not be put as if it were the body. */
const isWhole = (body) => body != null && !body.includes('•••');

async function editAndRetry(name, m) {
  const id = `${m.id.slice(0, 180).replace(/[\ud800-\udbff]$/, '')}~${Date.now().toString(36)}`; // its own id: the old message is history
  let body = m.body;
  for (;;) { // until it is put: what somebody wrote must not be lost because it was refused
    const answer = await ask({ title: t('edit.retry'), text: t('edit.retry.ask', { id }), body, reason: 'optional' });
    if (!answer) return;
    body = answer.body;
    const wish = { id, body, priority: m.priority, orderingKey: m.orderingKey };
    if (await perform(t('edit.retry'), () => post(path`inboxes/${name}/messages`, wish, answer.reason || t('edit.retry')))) {
      go(to(['inboxes', name, id]));
      return;
    }
  }
}

/** Where the application keeps its traces, if it was told. */
const Trace = ({ name, id }) => h(Data, { from: path`story/inbox/${name}/${id}`, quiet: true }, ({ trace, traceUrl }) =>
  (traceUrl ? a({ href: traceUrl, target: '_blank', rel: 'noreferrer' }, h(Id, null, trace)) : trace ? h(Id, null, trace) : span({ class: 'soft' }, t('trace.none'))));

const OneMessage = ({ name, id }) => h(Data, { from: path`inboxes/${name}/messages/${id}` }, (m) => div(null,
  h(Head, { title: m.id, crumbs: [[t('inboxes'), to(['inboxes'])], [name, to(['inboxes', name], { state: m.state })]], state: m.state },
    m.state === 'PENDING' && new Date(m.turnAt) > Date.now() && h(Act, { label: t('hasten'), primary: true, run: () => post(path`inboxes/${name}/messages/${id}/hasten`) }),
    m.state === 'DEAD' && h(Act, { label: t('revive'), primary: true, question: t('revive.ask', { id }), reason: 'optional',
      run: ({ reason }) => post(path`inboxes/${name}/messages/${id}/revive`, undefined, reason) }),
    mayAct() && isWhole(m.body) && ['DEAD', 'DONE', 'CANCELLED'].includes(m.state) && button({ type: 'button', onClick: () => editAndRetry(name, m) }, t('edit.retry')),
    ['PENDING', 'DEAD'].includes(m.state) && h(Act, { label: t('give.up'), danger: true, question: t('give.up.ask', { id }), reason: 'required',
      run: ({ reason }) => post(path`inboxes/${name}/messages/${id}/cancel`, undefined, reason) })),
  m.error && h(Card, { title: t('error') }, h(ErrorText, { text: m.error })),
  div({ class: 'two' },
    div(null,
      h(Card, { title: t('timeline') }, h(Data, { from: path`story/inbox/${name}/${id}` }, ({ failures }) => h(Timeline, { steps: steps(m, failures) }))),
      h(Card, { title: t('body') }, m.body === null || m.body === undefined ? span({ class: 'soft' }, t('body.hidden')) : h(Body, { text: m.body }))),
    div(null,
      !['DONE', 'CANCELLED'].includes(m.state) && h(Why, { kind: 'inbox', id: [name, id] }),
      h(Card, { title: t('facts') }, h(Facts, { facts: [
        [t('id'), h(Id, null, m.id)], [t('attempts'), m.attempt], [t('priority'), m.priority], [t('fence'), m.fence], [t('ordering.key'), m.orderingKey],
        [t('node'), m.node], [t('put'), h(Moment, { at: m.putAt })], m.turnAt ? [t('turn'), h(Moment, { at: m.turnAt })] : [],
        m.state === 'DOING' && m.heldUntil ? [t('held.until'), h(Moment, { at: m.heldUntil })] : [], m.finishedAt ? [t('finished'), h(Moment, { at: m.finishedAt })] : [],
        [t('trace'), h(Trace, { name, id })]] }))))));

export const Inboxes = ({ way: [, name, id], query: { state = 'PENDING', q, after } }) => (
  id !== undefined ? h(OneMessage, { name, id }) : name !== undefined ? h(OneInbox, { name, state, q, after }) : h(ListOfInboxes));

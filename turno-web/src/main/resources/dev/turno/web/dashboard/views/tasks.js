// Tasks: what comes within the hour and in whose share, types in figures, cron schedules, lists, one task.
import { h, tags } from '../dom.js';
import { t } from '../words.js';
import { path, post, query, remove } from '../api.js';
import { to } from '../route.js';
import * as f from '../format.js';
import { Act, Body, Card, Count, Countdown, Data, Empty, ErrorText, Facts, Filter, Head, Id, Meter, Moment, Pager, State, Table, Tabs, Timeline, Why } from '../parts.js';
import { failed } from './inboxes.js';
import { inWords } from './cron.js';

const { a, div, i, li, ol, p, span } = tags;
const STATES = ['PENDING', 'ASSIGNED', 'DOING', 'DONE', 'DEAD', 'CANCELLED'];
const SCHEDULE = 'curl -X POST .../api/v1/tasks -H "Authorization: Bearer $TURNO_TOKEN" -d \'{"type":"bell","in":"PT10S"}\'';

/** Sums by what `of` says of each. */
function sums(items, of) {
  const all = new Map();
  items.forEach((item) => all.set(of(item), (all.get(of(item)) ?? 0) + item.count));
  return all;
}

function Peaks({ items }) {
  if (items.length === 0) return h(Empty, { text: t('coming.none') });
  const minutes = sums(items, (item) => item.minute);
  const shares = [...sums(items, (item) => item.node ?? '')].sort(([one], [other]) => one.localeCompare(other));
  const most = Math.max(...minutes.values());
  const [busiest] = [...minutes].find(([, n]) => n === most);
  const n = items.reduce((sum, item) => sum + item.count, 0);
  const first = Math.floor(Date.now() / 60_000) * 60_000;
  const slots = Array.from({ length: 60 }, (_, at) => new Date(first + at * 60_000));
  const said = t('coming.sum', { n: n === 1 ? 1 : f.number(n), at: f.clock(busiest, false), most: f.number(most) });
  return div(null, p(null, said),
    div({ class: 'hours', role: 'img', 'aria-label': said }, slots.map((slot) => {
      const due = minutes.get(slot.toISOString().replace('.000Z', 'Z')) ?? 0;
      return i({ style: { height: `${(100 * due) / most}%` }, title: `${f.clock(slot, false)} · ${f.number(due)}` });
    })),
    div({ class: 'row soft small', style: { justifyContent: 'space-between' } }, span(null, f.clock(slots[0], false)), span(null, f.clock(slots[59], false))),
    h('h3', { class: 'hidden-text' }, t('shares')),
    shares.map(([node, share]) => div({ class: 'share-row', key: node }, span({ class: node ? '' : 'soft' }, node || t('unassigned')),
      h(Meter, { label: `${node || t('unassigned')}: ${share}`, parts: [['share', share], ['', n - share]] }), span(null, f.number(share)))));
}

const Types = ({ types }) => h(Table, {
  label: t('types'), rows: types, id: (one) => one.type, href: (one) => to(['tasks', 'type', one.type]), empty: h(Empty, { text: t('tasks.empty'), command: SCHEDULE }),
  columns: [
    { name: t('type'), kind: 'wide', show: (one) => a({ href: to(['tasks', 'type', one.type]) }, one.type) },
    ...['PENDING', 'ASSIGNED', 'DOING', 'DONE', 'DEAD'].map((state) => ({ name: t('state.' + state), kind: 'figure-cell',
      show: (one) => h(Count, { n: one.byState[state] ?? 0, href: to(['tasks', 'type', one.type], { state }) }) })),
    { name: t('overdue'), kind: 'figure-cell', show: (one) => h(Count, { n: one.overdue, href: to(['tasks', 'type', one.type], { state: 'PENDING' }) }) },
    { name: t('runners'), kind: 'figure-cell', show: (one) => a({ href: to(['holders']) }, one.runners) },
    { name: t('lag'), show: (one) => (one.lag.started > 0 ? `${f.duration(f.millis(one.lag.p50))} / ${f.duration(f.millis(one.lag.p99))}` : '–') },
  ],
});

const PastRuns = ({ name }) => h(Data, { from: path`schedule-runs/${name}`, quiet: true }, ({ items }) =>
  div({ class: 'bars', role: 'img', 'aria-label': t('last.runs') + ': ' + items.length },
    [...items].reverse().map((run) => i({ key: run.id, class: run.state, title: `${f.exact(run.at)} · ${t('state.' + run.state)}` }))));

/** Not the schedule's own: that one is the first that is not a task yet. */
const Next = ({ name }) => h(Data, { from: path`schedules/${name}/next` + '?count=1', quiet: true }, ({ at }) => h(Moment, { at: at[0] }));

const Schedules = () => h(Data, { from: 'schedules' }, ({ items }) => h(Table, {
  label: t('schedules'), keys: false, rows: items, id: (one) => one.name, empty: h(Empty, { text: t('schedules.empty') }),
  columns: [
    { name: t('name'), kind: 'wide', show: (one) => a({ href: to(['tasks', 'schedule', one.name]) }, one.name) },
    { name: t('cron'), show: (one) => span({ title: one.line }, inWords(one.line)) },
    { name: t('zone'), show: (one) => one.zone },
    { name: t('next'), show: (one) => (one.paused ? h(State, { state: 'PAUSED' }) : h(Next, { name: one.name })) },
    { name: t('last.runs'), show: (one) => h(PastRuns, { name: one.name }) },
    { name: '', kind: 'fit', show: (one) => h(ScheduleActs, { schedule: one, tiny: true }) },
  ],
}));

const ScheduleActs = ({ schedule: { name, paused }, tiny }) => div({ class: 'acts' },
  h(Act, { label: t('run.now'), tiny, question: t('run.now.ask', { id: name }), run: () => post(path`schedules/${name}/run`) }),
  paused ? h(Act, { label: t('resume'), tiny, run: () => post(path`schedules/${name}/resume`) })
    : h(Act, { label: t('pause'), tiny, question: t('pause') + ' ' + name + '?', reason: 'optional', run: ({ reason }) => post(path`schedules/${name}/pause`, undefined, reason) }));

const AllTasks = () => div(null, h(Head, { title: t('tasks') }),
  h(Card, { title: t('coming.hour') }, h(Data, { from: 'task-peaks' }, ({ items }) => h(Peaks, { items }))),
  h('h2', null, t('types')), h(Data, { from: 'task-types' }, ({ items }) => h(Types, { types: items })),
  h('h2', null, t('schedules')), h(Schedules));

const OneSchedule = ({ name }) => h(Data, { from: 'schedules' }, ({ items }) => {
  const schedule = items.find((one) => one.name === name);
  if (!schedule) return h(Empty, { text: t('schedules.empty') });
  return div(null,
    h(Head, { title: name, crumbs: [[t('tasks'), to(['tasks'])]], state: schedule.paused && 'PAUSED' }, h(ScheduleActs, { schedule })),
    div({ class: 'two' },
      h(Card, { title: t('next.runs') }, h(Data, { from: path`schedules/${name}/next` + '?count=5' }, ({ at, runs }) => ol({ class: 'why' }, at.map((run, i) => li({ title: runs[i] }, f.inZone(run, schedule.zone) ?? runs[i]))))),
      h(Card, { title: t('facts') }, h(Facts, { facts: [[t('cron'), span(null, inWords(schedule.line), ' ', h(Id, null, schedule.line))], [t('zone'), schedule.zone],
        [t('type'), a({ href: to(['tasks', 'type', schedule.type]) }, schedule.type)], schedule.paused ? [] : [t('next'), h(Next, { name })],
        [t('last.runs'), h(PastRuns, { name })]] }))));
});

const OneType = ({ type, state, q, after }) => h(Data, { from: 'task-types' }, ({ items }) => {
  const figures = items.find((one) => one.type === type);
  return div(null, h(Head, { title: type, crumbs: [[t('tasks'), to(['tasks'])]] }),
    div({ class: 'bar' },
      h(Tabs, { label: t('state'), shown: state, items: STATES.map((value) => ({ value, n: figures?.byState[value] ?? 0 })) }),
      h(Filter, { value: q, placeholder: t('filter') })),
    h(Data, { from: 'tasks' + query({ type, state, q, after, limit: 50 }) }, ({ items: tasks, next }) => div(null, h(Table, {
      label: t('tasks'), rows: tasks, id: (one) => one.id, href: (one) => to(['tasks', one.id]), empty: h(Empty, { text: t('tasks.none') }),
      columns: [
        { name: t('id'), kind: 'figure-cell', show: (one) => a({ href: to(['tasks', one.id]) }, one.id) },
        { name: t('key'), kind: 'wide', show: (one) => one.key && h(Id, null, one.key) },
        { name: t('state'), show: (one) => h(State, { state: one.state }) },
        { name: t('tl.instant'), show: (one) => (['PENDING', 'ASSIGNED'].includes(one.state) ? h(Countdown, { at: one.at }) : h(Moment, { at: one.at })) },
        { name: t('node'), show: (one) => one.node },
        { name: t('attempt'), kind: 'figure-cell', show: (one) => one.attempt },
        { name: t('error'), show: (one) => one.error && span({ class: 'cut', title: one.error }, one.error.split('\n', 1)[0]) },
      ],
    }), h(Pager, { next, n: tasks.length, after }))));
});

const steps = (task, failures) => [
  { text: t('tl.put'), at: task.putAt },
  { text: t('tl.instant'), at: task.at },
  ...failed(failures, task),
  task.state === 'PENDING' && { kind: 'now', text: task.turnAt ? t('tl.waits') : t('tl.behind'), at: task.turnAt },
  task.state === 'ASSIGNED' && { kind: 'now', text: t('tl.assigned', { node: task.node ?? '?' }) },
  ['DOING', 'DONE'].includes(task.state) && { kind: task.state === 'DOING' ? 'now' : '', text: t('tl.taken', { node: task.node ?? '?' }), more: t('tl.attempts', { n: task.attempt }) },
  task.state === 'DONE' && { kind: 'good', text: t('tl.done'), at: task.finishedAt },
  task.state === 'DEAD' && { kind: 'bad', text: t('tl.dead'), at: task.finishedAt },
  task.state === 'CANCELLED' && { text: t('tl.cancelled'), at: task.finishedAt },
];

const OneTask = ({ id }) => h(Data, { from: path`tasks/${id}` }, (task) => div(null,
  h(Head, { title: `${task.type} · ${id}`, crumbs: [[t('tasks'), to(['tasks'])], [task.type, to(['tasks', 'type', task.type], { state: task.state })]], state: task.state },
    ['PENDING', 'ASSIGNED'].includes(task.state) && h(Act, { label: t('run.now'), primary: true, question: t('run.now.ask', { id }), run: () => post(path`tasks/${id}/run`) }),
    task.state === 'DEAD' && h(Act, { label: t('revive'), primary: true, question: t('revive.ask', { id }), reason: 'optional',
      run: ({ reason }) => post(path`tasks/${id}/revive`, undefined, reason) }),
    ['PENDING', 'ASSIGNED', 'DEAD'].includes(task.state) && h(Act, { label: t('give.up'), danger: true, question: t('give.up.ask', { id }), reason: 'required',
      run: ({ reason }) => remove(path`tasks/${id}`, reason) })),
  task.error && h(Card, { title: t('error') }, h(ErrorText, { text: task.error })),
  div({ class: 'two' },
    div(null, h(Card, { title: t('timeline') }, h(Data, { from: path`story/task/${id}` }, ({ failures }) => h(Timeline, { steps: steps(task, failures) }))), task.body && h(Card, { title: t('body') }, h(Body, { text: task.body }))),
    div(null, !['DONE', 'CANCELLED'].includes(task.state) && h(Why, { kind: 'task', id: [id] }),
      h(Card, { title: t('facts') }, h(Facts, { facts: [
        [t('key'), task.key && h(Id, null, task.key)], [t('attempts'), task.attempt], [t('priority'), task.priority], [t('fence'), task.fence], [t('node'), task.node],
        [t('lanes'), task.lane], [t('schedules'), task.schedule && a({ href: to(['tasks', 'schedule', task.schedule]) }, task.schedule)],
        [t('tl.instant'), h(Moment, { at: task.at })]] }))))));

export const Tasks = ({ way: [, kind, name], query: { state = 'PENDING', q, after } }) => (
  kind === 'type' ? h(OneType, { type: name, state, q, after }) : kind === 'schedule' ? h(OneSchedule, { name }) : kind !== undefined ? h(OneTask, { id: kind }) : h(AllTasks));

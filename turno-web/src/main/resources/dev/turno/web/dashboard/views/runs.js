// Runs: how far they are, which lanes they hold or wait for, what they said.
import { h, tags } from '../dom.js';
import { t } from '../words.js';
import { path, post, query } from '../api.js';
import { to } from '../route.js';
import * as f from '../format.js';
import { Act, Card, Data, Empty, ErrorText, Facts, Filter, Head, Id, Moment, Pager, ProgressBar, State, Table, Tabs, Timeline, Why } from '../parts.js';

const { a, div, li, span, time, ul } = tags;
const LANES_MS = 15 * 60_000;
const MOST_LANES = 20;
const LANE_STATES = ['DONE', 'STOPPED', 'DEAD', 'PARKED', 'DOING']; // what goes on is drawn last, above the others
const STATES = ['PENDING', 'PARKED', 'DOING', 'DONE', 'STOPPED', 'DEAD', 'CANCELLED'];

/** From 0 to 1, or nothing when nobody knows the whole. */
const part = ({ completed, skipped, parked, total }) => (total ? Math.min(1, (completed + skipped + parked) / total) : total === 0 ? 1 : null);

function Progress({ run }) {
  const { progress } = run;
  const now = part(progress);
  const left = progress.estimatedEnd && new Date(progress.estimatedEnd).getTime() - Date.now();
  return div({ class: 'run-progress' },
    now !== null && h(ProgressBar, { part: now, label: t('progress') + ' ' + run.id }),
    div({ class: 'row small' },
      span(null, now === null ? f.number(progress.completed) : f.percent(now)),
      run.state === 'DOING' && progress.perSecond > 0 && span({ class: 'soft' }, t('per.second', { n: f.rate(progress.perSecond) })),
      run.state === 'DOING' && left > 0 && span({ class: 'soft' }, t('time.left', { time: f.duration(left) }))));
}

const Acts = ({ run, tiny }) => [
  ['PENDING', 'PARKED', 'DOING'].includes(run.state) && !run.stopAt && h(Act, { label: t('stop'), tiny, danger: true, question: t('stop.ask', { id: run.id }), reason: 'optional',
    run: ({ reason }) => post(path`runs/${run.id}/stop`, undefined, reason) }),
  ['STOPPED', 'DEAD'].includes(run.state) && h(Act, { label: t('resume'), tiny, primary: !tiny, question: t('resume.ask', { id: run.id }), reason: 'optional',
    run: ({ reason }) => post(path`runs/${run.id}/resume`, undefined, reason) }),
];

/** Who had which lane when, in the last quarter of an hour. */
function Lanes({ runs }) {
  const end = Date.now();
  const begin = end - LANES_MS;
  const place = (at) => Math.max(0, Math.min(100, (100 * ((at ? new Date(at).getTime() : end) - begin)) / LANES_MS));
  const lanes = new Map();
  runs.filter((run) => run.startedAt && (!run.finishedAt || new Date(run.finishedAt) > begin))
    .forEach((run) => run.lanes.forEach((lane) => lanes.set(lane, [...(lanes.get(lane) ?? []), run])));
  if (lanes.size === 0) return null;
  return h(Card, { title: t('lanes'), aside: t('lanes.aside') },
    [...lanes].sort(([one], [other]) => one.localeCompare(other)).slice(0, MOST_LANES).map(([lane, its]) => div({ class: 'lane', key: lane },
      span({ class: 'lane-name mono', title: lane }, lane),
      div({ class: 'lane-track' }, its.map((run) => a({ key: run.id, class: 'lane-run ' + run.state, href: to(['runs', run.id]),
        'aria-label': `${run.job} ${run.id}, ${t('state.' + run.state)}`,
        title: `${run.job} · ${run.id} · ${t('state.' + run.state)} · ${f.clock(run.startedAt)} – ${run.finishedAt ? f.clock(run.finishedAt) : '…'}`,
        style: { left: `${place(run.startedAt)}%`, width: `max(4px, ${place(run.finishedAt) - place(run.startedAt)}%)` } }))))),
    div({ class: 'lane soft small' }, span(), div({ class: 'lane-scale' }, span(null, f.clock(begin, false)), span(null, f.clock(end, false)))));
}

/** Of every state in which a run has a lane, or had one a moment ago. */
const AllLanes = ({ states = LANE_STATES, runs = [] }) => (states.length === 0 ? h(Lanes, { runs })
  : h(Data, { from: 'runs' + query({ state: states[0], limit: states[0] === 'DONE' ? 100 : 50 }), quiet: true }, ({ items }) =>
    h(AllLanes, { states: states.slice(1), runs: [...runs, ...items] })));

const ListOfRuns = ({ state, subject, after }) => div(null, h(Head, { title: t('runs') }), h(AllLanes),
  h(Data, { from: 'overview' }, ({ runs: counts }) => div({ class: 'bar' },
    !subject && h(Tabs, { label: t('state'), shown: state, items: STATES.map((value) => ({ value, n: counts[value.toLowerCase()] })) }),
    h(Filter, { name: 'subject', value: subject, placeholder: t('subject') }))),
  h(Data, { from: 'runs' + query({ state, subject, after, limit: 50 }) }, ({ items, next }) => div(null, h(Table, {
    label: t('runs'), rows: items, id: (one) => one.id, href: (one) => to(['runs', one.id]), empty: h(Empty, { text: t('runs.empty') }),
    columns: [
      { name: t('id'), kind: 'figure-cell', show: (one) => a({ href: to(['runs', one.id]) }, one.id) },
      { name: t('job'), kind: 'wide', show: named },
      { name: t('subject'), kind: 'wide', show: (one) => one.subject && a({ href: to(['runs'], { subject: one.subject }) }, h(Id, null, one.subject)) },
      { name: t('state'), show: (one) => h(State, { state: one.state }) },
      { name: t('progress'), show: (one) => h(Progress, { run: one }) },
      { name: t('node'), show: (one) => one.node },
      { name: t('submitted'), show: (one) => h(Moment, { at: one.submittedAt }) },
      { name: t('error'), show: (one) => one.error && span({ class: 'cut', title: one.error }, one.error.split('\n', 1)[0]) },
      { name: '', kind: 'fit', show: (one) => h(Acts, { run: one, tiny: true }) },
    ],
  }), h(Pager, { next, n: items.length, after }))));

const steps = (run) => [
  { text: t('tl.submitted'), at: run.submittedAt },
  run.startedAt && { text: t('tl.started', { node: run.node ?? '?' }), at: run.startedAt },
  run.stopAt && { kind: 'bad', text: t('tl.stop'), at: run.stopAt },
  ['PENDING', 'PARKED'].includes(run.state) && { kind: 'now', text: run.turnAt ? t('tl.waits') : t('tl.behind'), at: run.turnAt },
  run.state === 'DOING' && { kind: 'now', text: t('state.DOING') },
  run.finishedAt && { kind: run.state === 'DONE' ? 'good' : run.state === 'DEAD' ? 'bad' : '', text: t('state.' + run.state), at: run.finishedAt },
];

const Log = ({ id, after }) => h(Card, { title: t('log') }, h(Data, { from: path`runs/${id}/log` + query({ after, limit: 500 }) }, ({ items, next }) => div(null, items.length === 0 ? h(Empty, { text: t('log.empty') })
  : div({ class: 'log', tabindex: 0, role: 'log', 'aria-label': t('log') },
    items.map((line) => div({ key: line.id }, time({ class: 'soft', dateTime: line.at, title: f.exact(line.at) }, f.clock(line.at)), span(null, line.text)))), h(Pager, { next, n: items.length, after }))));

const Parked = ({ run, after }) => run.progress.parked > 0 && h(Card, { title: t('parked.items') },
  h(Data, { from: path`runs/${run.id}/items` + query({ after, limit: 100 }) }, ({ items, next }) => div(null, h(Table, {
    label: t('parked.items'), keys: false, rows: items, id: (one) => one.id, empty: h(Empty, { text: '–' }),
    columns: [{ name: t('key'), kind: 'wide', show: (one) => h(Id, null, one.itemKey) }, { name: t('error'), kind: 'wide', show: (one) => one.error.split('\n', 1)[0] },
      { name: t('when'), show: (one) => h(Moment, { at: one.parkedAt }) }],
  }), h(Pager, { next, n: items.length, after, name: 'items' }),
  h(Act, { label: t('revive.items'), question: t('revive.items') + '?', reason: 'optional', run: ({ reason }) => post(path`runs/${run.id}/revive`, undefined, reason) }))));

/** A bulk action by what it does. */
const named = ({ job, parameters }) => (job === 'turno-bulk' && parameters.act ? `${t('bulk.' + parameters.act)} · ${parameters.inbox}` : job);

const OneRun = ({ id, after, items }) => h(Data, { from: path`runs/${id}` }, (run) => div(null,
  h(Head, { title: `${named(run)} · ${id}`, crumbs: [[t('runs'), to(['runs'], { state: run.state })]], state: run.state }, h(Acts, { run }),
    ['PENDING', 'STOPPED', 'DEAD'].includes(run.state) && h(Act, { label: t('give.up'), danger: true, question: t('give.up.ask', { id }), reason: 'required',
      run: ({ reason }) => post(path`runs/${id}/cancel`, undefined, reason) })),
  run.error && h(Card, { title: t('error') }, h(ErrorText, { text: run.error })),
  h(Card, { title: t('progress') }, h(Progress, { run })),
  div({ class: 'two' },
    div(null, h(Card, { title: t('timeline') }, h(Timeline, { steps: steps(run) })), h(Log, { id, after }), h(Parked, { run, after: items })),
    div(null, !['DONE', 'CANCELLED'].includes(run.state) && h(Why, { kind: 'run', id: [id] }),
      h(Card, { title: t('facts') }, h(Facts, { facts: [
        [t('subject'), run.subject && a({ href: to(['runs'], { subject: run.subject }) }, run.subject)], [t('action'), run.action],
        [t('lanes'), run.lanes.length > 0 && ul({ class: 'why' }, run.lanes.map((lane) => li(null, h(Id, null, lane))))], [t('node'), run.node],
        [t('parameters'), Object.keys(run.parameters).length > 0 && ul({ class: 'why' }, Object.entries(run.parameters).map(([name, value]) => li(null, h(Id, null, `${name} = ${value}`))))],
        [t('attempts'), run.attempt], [t('fence'), run.fence], [t('completed'), f.number(run.progress.completed)], [t('skipped'), f.number(run.progress.skipped)],
        [t('parked'), f.number(run.progress.parked)], [t('total'), run.progress.total && f.number(run.progress.total)], [t('cursor'), run.cursor && h(Id, null, run.cursor)]] }))))));

export const Runs = ({ way: [, id], query: { state = 'DOING', subject, after, items } }) => (id !== undefined ? h(OneRun, { id, after, items }) : h(ListOfRuns, { state, subject, after }));

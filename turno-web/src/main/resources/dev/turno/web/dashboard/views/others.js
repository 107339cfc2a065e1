// Locks, holders, audit.
import { h, tags } from '../dom.js';
import { hasWord, t } from '../words.js';
import { path, post, query } from '../api.js';
import { to } from '../route.js';
import { Act, Card, Countdown, Data, Empty, Facts, Head, Id, lifeOf, Moment, Pager, Table, Why } from '../parts.js';

const { a, div, span } = tags;

const TAKE = 'curl -X POST .../api/v1/locks/report -H "Authorization: Bearer $TURNO_TOKEN" -d \'{"holder":"me","lease":"PT30S"}\'';

const who = (lock) => (lock.user ? `${lock.node} · ${lock.user}` : lock.node);

const Force = ({ lock, tiny }) => h(Act, { label: t('force'), tiny, danger: true, question: t('force.ask', { id: lock.name, node: who(lock) }), reason: 'required',
  run: ({ reason }) => post(path`locks/${lock.name}/force-release`, { reason }, reason) });

const ListOfLocks = ({ after }) => div(null, h(Head, { title: t('locks') }),
  h(Data, { from: 'locks' + query({ after, limit: 100 }) }, ({ items, next }) => div(null, h(Table, {
    label: t('locks'), rows: items, id: (one) => one.name, href: (one) => to(['locks', one.name]), empty: h(Empty, { text: t('locks.empty'), command: TAKE }),
    columns: [
      { name: t('name'), kind: 'wide', show: (one) => a({ href: to(['locks', one.name]) }, h(Id, null, one.name)) },
      { name: t('holder'), show: who },
      { name: t('taken'), show: (one) => h(Moment, { at: one.takenAt }) },
      { name: t('lease.left'), show: (one) => h(Countdown, { at: one.until }) },
      { name: t('fence'), kind: 'figure-cell', show: (one) => one.fence },
      { name: '', kind: 'fit', show: (one) => h(Force, { lock: one, tiny: true }) },
    ],
  }), h(Pager, { next, n: items.length, after }))));

const OneLock = ({ name }) => div(null,
  h(Data, { from: path`locks/${name}` }, (lock) => div(null,
    h(Head, { title: name, crumbs: [[t('locks'), to(['locks'])]], state: 'DOING' }, h(Force, { lock })),
    h(Card, { title: t('facts') }, h(Facts, { facts: [[t('holder'), who(lock)], [t('service'), lock.service], [t('taken'), h(Moment, { at: lock.takenAt })],
      [t('lease.left'), h(Countdown, { at: lock.until })], [t('fence'), lock.fence]] })))),
  h(Why, { kind: 'lock', id: [name] }));

export const Locks = ({ way: [, name], query: { after } }) => (name !== undefined ? h(OneLock, { name }) : h(ListOfLocks, { after }));

const STATES = { alive: 'DONE', lapsed: 'PAUSED', reaped: 'DEAD', left: 'CANCELLED' };

const Alive = ({ holder }) => span({ class: 'state state-' + STATES[lifeOf(holder)] }, t(lifeOf(holder)));

const Doctor = () => h(Card, { title: t('doctor') }, h(Data, { from: 'doctor' }, ({ findings }) => h(Table, {
  label: t('doctor'), keys: false, rows: findings, id: (one) => one.check, empty: h(Empty, { text: '–' }),
  columns: [{ name: t('what'), show: (one) => t('doctor.check.' + one.check) },
    { name: t('result'), show: (one) => span({ class: 'state ' + (one.good ? 'state-DONE' : 'state-DEAD') }, t(one.good ? 'doctor.good' : 'doctor.bad')) },
    { name: '', kind: 'wide', show: (one) => (hasWord('doctor.' + one.code) ? t('doctor.' + one.code, one.values) : one.says) }],
})));

export const Holders = () => div(null, h(Head, { title: t('holders') }),
  h(Data, { from: 'overview' }, ({ holder: own }) => h(Data, { from: 'holders' }, ({ items }) => h(Table, {
    label: t('holders'), rows: items, id: (one) => one.id, empty: h(Empty, { text: t('holders.empty') }),
    columns: [
      { name: t('node'), kind: 'wide', show: (one) => [one.node, ' ', own.includes(one.id) && span({ class: 'soft small' }, t('this.server'))] },
      { name: t('id'), show: (one) => h(Id, null, one.id) },
      { name: t('state'), show: (one) => h(Alive, { holder: one }) },
      { name: t('started'), show: (one) => h(Moment, { at: one.startedAt }) },
      { name: t('lease.until'), show: (one) => h(Moment, { at: one.leaseUntil }) },
    ],
  }))), h(Doctor));

export const Audit = ({ query: { after } }) => div(null, h(Head, { title: t('audit') }),
  h(Data, { from: 'audit' + query({ after, limit: 50 }) }, ({ items, next }) => div(null, h(Table, {
    label: t('audit'), rows: items, id: (one) => one.id, empty: h(Empty, { text: t('audit.empty') }),
    columns: [
      { name: t('when'), show: (one) => h(Moment, { at: one.at }) },
      { name: t('who'), show: (one) => [one.who, ' ', span({ class: 'soft small' }, t('role.' + one.role))] },
      { name: t('address'), show: (one) => one.address },
      { name: t('what'), kind: 'wide', show: (one) => h(Id, null, one.action) },
      { name: t('details'), kind: 'wide', show: (one) => one.details },
      { name: t('reason'), kind: 'wide', show: (one) => one.why },
      { name: t('result'), show: (one) => (one.status === null ? '?' : span({ class: one.status < 400 ? 'good' : 'bad' }, one.status)) },
    ],
  }), h(Pager, { next, n: items.length, after }))));

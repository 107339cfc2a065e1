// Networks: what was harvested when, what the rules found in it, and each record.
import { h, tags } from '../../dom.js';
import { t } from '../../words.js';
import { path, post, query } from '../../api.js';
import { to } from '../../route.js';
import * as f from '../../format.js';
import { Act, ask, Body, Card, Data, Empty, ErrorText, Facts, Head, Id, mayAct, Meter, Moment, Pager, perform, ShortError, Table, Tabs } from '../../parts.js';
import { words } from './words.js';

const { a, button, div, li, p, span, time, ul } = tags;

const ADD = 'turno network add UX https://repo.example.org/oai --on VALIDATE --on INDEX_FRONTEND';
const BARS = 30;

/** The statuses of snapshots and records in the shapes of the states. */
const SHAPE = { HARVESTING: 'DOING', RETRYING: 'PARKED', HARVEST_FAILED: 'DEAD', HARVESTED: 'DONE', STOPPED: 'STOPPED', VALIDATED: 'DONE', INDEXING: 'DOING',
  INDEX_FAILED: 'DEAD', INDEXED: 'DONE', EMPTY: 'CANCELLED', UNTESTED: 'PENDING', VALID: 'DONE', INVALID: 'DEAD', DELETED: 'CANCELLED' };
const Status = ({ status }) => span({ class: 'state state-' + SHAPE[status] }, t('networks.' + status));

const share = (part, all) => (all > 0 ? f.percent(part / all) : '–');
const place = (acronym, ...more) => to(['networks', acronym, ...more]);
const crumbs = (acronym, snapshot) => [[t('networks'), to(['networks'])], [acronym, place(acronym)],
  ...(snapshot ? [[t('networks.snapshot') + ' ' + snapshot, place(acronym, 'snapshot', snapshot)]] : [])];

const Run = ({ acronym, tiny, action, label }) => h(Act, { label: label ?? t('networks.run'), tiny, primary: !tiny && !action, question: t('networks.run.ask', { name: acronym }), reason: 'optional',
  run: ({ reason }) => post(path`networks/${acronym}/run`, action ? { action, incremental: true } : {}, reason) });

const ListOfNetworks = ({ after }) => div(null, h(Head, { title: t('networks') }),
  h(Data, { from: 'networks' + query({ after, limit: 50 }) }, ({ items, next }) => div(null, h(Table, {
    label: t('networks'), rows: items, id: (one) => one.acronym, href: (one) => place(one.acronym), empty: h(Empty, { text: t('networks.empty'), command: ADD }),
    columns: [
      { name: t('networks.acronym'), show: (one) => a({ href: place(one.acronym) }, one.acronym) },
      { name: t('name'), kind: 'wide', show: (one) => one.name },
      { name: t('state'), show: ({ lastGood }) => (lastGood ? h(Status, { status: lastGood.status }) : span({ class: 'soft' }, t('networks.never'))) },
      { name: t('networks.records'), kind: 'figure-cell', show: ({ acronym, lastGood }) => (lastGood ? a({ href: place(acronym, 'snapshot', lastGood.id, 'records') }, f.number(lastGood.total)) : '–') },
      { name: t('networks.valid'), kind: 'figure-cell', show: ({ lastGood }) => (lastGood ? share(lastGood.valid, lastGood.size) : '–') },
      { name: t('networks.last'), show: ({ lastGood }) => h(Moment, { at: lastGood?.finishedAt ?? lastGood?.startedAt }) },
      { name: t('networks.schedule'), show: (one) => (one.schedule ? h(Id, null, one.schedule) : '–') },
      { name: '', kind: 'fit', show: (one) => h(Run, { acronym: one.acronym, tiny: true }) },
    ],
  }), h(Pager, { next, n: items.length, after }))));

const took = (one) => (one.finishedAt ? f.duration(new Date(one.finishedAt) - new Date(one.startedAt)) : '…');

/** Oldest to newest, as high as they brought records. */
const Bars = ({ acronym, items }) => {
  const shown = items.slice(0, BARS).reverse();
  const most = Math.max(1, ...shown.map((one) => one.size));
  return div({ class: 'harvests' }, shown.map((one) => a({ key: one.id, href: place(acronym, 'snapshot', one.id), class: SHAPE[one.status],
    style: { height: `${Math.max(6, (100 * one.size) / most)}%` }, 'aria-label': `${t('networks.snapshot')} ${one.id}: ${f.number(one.size)}`,
    title: `${f.exact(one.startedAt)} · ${t('networks.' + one.status)} · ${f.number(one.size)}` })));
};

const Snapshots = ({ acronym, after }) => h(Card, { title: t('networks.snapshots') },
  h(Data, { from: path`networks/${acronym}/snapshots` + query({ after, limit: 30 }) }, ({ items, next }) => div(null,
    items.length > 1 && h(Bars, { acronym, items }),
    h(Table, {
      label: t('networks.snapshots'), rows: items, id: (one) => one.id, href: (one) => place(acronym, 'snapshot', one.id), empty: h(Empty, { text: t('networks.never') }),
      columns: [
        { name: t('id'), kind: 'figure-cell', show: (one) => a({ href: place(acronym, 'snapshot', one.id) }, one.id) },
        { name: t('state'), show: (one) => h(Status, { status: one.status }) },
        { name: t('started'), show: (one) => h(Moment, { at: one.startedAt }) },
        { name: t('networks.took'), show: took },
        { name: t('networks.brought'), kind: 'figure-cell', show: (one) => f.number(one.size) },
        { name: t('networks.valid'), kind: 'figure-cell', show: (one) => f.number(one.valid) },
        { name: t('networks.quarantined'), kind: 'figure-cell', show: (one) => f.number(one.quarantined) },
        { name: t('networks.total'), kind: 'figure-cell', show: (one) => f.number(one.total) },
      ],
    }), h(Pager, { next, n: items.length, after }))));

async function check(acronym) {
  const shown = await perform(t('networks.check'), async () => {
    const found = await post(path`networks/${acronym}/check`);
    ask({ title: t('networks.check'), children: h(Facts, { facts: [
      [t('result'), span({ class: 'state state-' + (found.usable ? 'DONE' : 'DEAD') }, t(found.usable ? 'networks.usable' : 'networks.unusable'))],
      [t('networks.repository'), found.identity?.repositoryName], [t('networks.formats'), found.formats.join(', ')], [t('networks.records'), f.number(found.listSize ?? found.records)],
      [t('networks.warnings'), found.warnings.length > 0 && ul({ class: 'why' }, found.warnings.map((warning) => li(null, warning)))]] }) });
  });
  return shown;
}

const Changes = ({ acronym }) => h(Card, { title: t('networks.changes') }, h(Data, { from: path`networks/${acronym}/history` + '?limit=10' }, ({ items }) => (items.length === 0
  ? h(Empty, { text: '–' }) : ul({ class: 'why' }, items.map((one) => li({ key: one.id }, one.who, ' ', span({ class: 'soft small' }, h(Moment, { at: one.changedAt }))))))));

const OneNetwork = ({ acronym, after }) => h(Data, { from: path`networks/${acronym}` }, (one) => div(null,
  h(Head, { title: `${acronym} · ${one.name}`, crumbs: [[t('networks'), to(['networks'])]] },
    h(Run, { acronym }), h(Run, { acronym, action: 'HARVESTING_ACTION', label: t('networks.harvest') }),
    mayAct() && button({ type: 'button', onClick: () => check(acronym) }, t('networks.check')),
    h(Act, { label: t('stop'), danger: true, question: t('networks.stop.ask', { name: acronym }), reason: 'optional', run: ({ reason }) => post(path`networks/${acronym}/stop`, undefined, reason) })),
  div({ class: 'figures low' },
    [[t('networks.records'), one.lastGood ? f.number(one.lastGood.total) : '–', one.lastGood && place(acronym, 'snapshot', one.lastGood.id, 'records')],
      [t('networks.valid'), one.lastGood ? share(one.lastGood.valid, one.lastGood.size) : '–', one.lastGood && place(acronym, 'snapshot', one.lastGood.id)],
      [t('networks.quarantined'), one.lastGood ? f.number(one.lastGood.quarantined) : '–', one.lastGood && place(acronym, 'snapshot', one.lastGood.id)],
      [t('networks.last'), h(Moment, { at: one.lastGood?.finishedAt }), to(['runs'], { subject: one.subject })]].map(([label, value, href]) =>
      a({ class: 'figure', key: label, href: href || undefined }, div({ class: 'label' }, label), div({ class: 'value' }, value)))),
  h(Snapshots, { acronym, after }),
  div({ class: 'two' }, h(Card, { title: t('facts') }, h(Facts, { facts: [
      [t('networks.source'), h(Id, null, one.originUrl)], [t('networks.format'), one.metadataPrefix], [t('networks.sets'), one.sets.join(', ')],
      [t('networks.schedule'), one.schedule ?? '–'], [t('networks.rules'), [one.preValidator, one.validator, one.transformer, one.secondaryTransformer].filter(Boolean).join(', ')],
      [t('networks.properties'), Object.keys(one.properties).filter((name) => one.properties[name]).sort().join(', ')],
      [t('runs'), a({ href: to(['runs'], { subject: one.subject }) }, one.subject)]] })), h(Changes, { acronym }))));

const Rules = ({ acronym, snapshot, rules }) => (rules.length === 0 ? h(Empty, { text: t('networks.rules.none') }) : rules.map(({ rule, holds, breaks }) => div({ class: 'rule-row', key: rule },
  a({ href: place(acronym, 'snapshot', snapshot, 'rule', rule) }, rule),
  h(Meter, { label: `${rule}: ${t('networks.holds')} ${holds}, ${t('networks.breaks')} ${breaks}`, parts: [['good-part', holds], ['DEAD', breaks]] }),
  span({ class: breaks > 0 ? 'bad' : 'soft' }, f.number(breaks)), span({ class: 'soft' }, share(holds, holds + breaks)))));

const Diagnosis = ({ acronym, snapshot }) => h(Card, { title: t('networks.diagnosis'), aside: t('networks.diagnosis.aside') },
  h(Data, { from: path`snapshots/${snapshot}/diagnosis` }, ({ validation, rules }) => div(null,
    validation && div(null, h(Meter, { label: t('networks.valid'), parts: [['good-part', validation.valid], ['DEAD', validation.invalid]] }),
      p({ class: 'row small' }, span(null, h(Status, { status: 'VALID' }), ' ', f.number(validation.valid)), span(null, h(Status, { status: 'INVALID' }), ' ', f.number(validation.invalid)),
        span({ class: 'soft' }, t('networks.transformed') + ' ' + f.number(validation.transformed)), !validation.finished && span({ class: 'soft' }, t('networks.unfinished')))),
    h(Rules, { acronym, snapshot, rules }))));

const Log = ({ snapshot }) => h(Card, { title: t('log') }, h(Data, { from: path`snapshots/${snapshot}/log` + '?limit=200' }, ({ items }) => (items.length === 0 ? h(Empty, { text: t('log.empty') })
  : div({ class: 'log', tabindex: 0, role: 'log', 'aria-label': t('log') },
    items.map((line) => div({ key: line.id }, time({ class: 'soft', dateTime: line.loggedAt, title: f.exact(line.loggedAt) }, f.clock(line.loggedAt)), span(null, line.line)))))));

const Quarantine = ({ snapshot, n }) => n > 0 && h(Card, { title: t('networks.quarantined'), aside: f.number(n) },
  h(Data, { from: path`snapshots/${snapshot}/quarantine` + '?limit=50' }, ({ items }) => h(Table, {
    label: t('networks.quarantined'), keys: false, rows: items, id: (one) => one.id, empty: h(Empty, { text: '–' }),
    columns: [{ name: t('networks.record'), kind: 'wide', show: (one) => h(Id, null, one.identifier) }, { name: t('reason'), kind: 'wide', show: (one) => h(ShortError, { text: one.reason }) }],
  })));

const OneSnapshot = ({ acronym, id }) => h(Data, { from: path`snapshots/${id}` }, (one) => div(null,
  h(Head, { title: `${t('networks.snapshot')} ${id}`, crumbs: crumbs(acronym) }, h(Status, { status: one.status }),
    one.status === 'HARVEST_FAILED' && h(Act, { label: t('networks.accept'), question: t('networks.accept.ask'), reason: 'required', run: ({ reason }) => post(path`snapshots/${id}/accept`, undefined, reason) }),
    a({ class: 'button', href: place(acronym, 'snapshot', id, 'records') }, t('networks.see'))),
  one.error && h(Card, { title: t('error') }, h(ErrorText, { text: one.error })),
  div({ class: 'two' },
    div(null, h(Diagnosis, { acronym, snapshot: id }), h(Quarantine, { snapshot: id, n: one.quarantined }), h(Log, { snapshot: id })),
    h(Card, { title: t('facts') }, h(Facts, { facts: [
      [t('networks.brought'), f.number(one.size)], [t('networks.deleted'), f.number(one.deleted)], [t('networks.valid'), f.number(one.valid)], [t('networks.transformed'), f.number(one.transformed)],
      [t('networks.quarantined'), f.number(one.quarantined)], [t('networks.total'), f.number(one.total)], [t('started'), h(Moment, { at: one.startedAt })], [t('networks.took'), took(one)],
      [t('networks.kind'), t(one.full ? 'networks.full' : 'networks.incremental')], [t('runs'), a({ href: to(['runs', one.run]) }, one.run)]] })))));

const Values = ({ title, items, kind }) => h(Card, { title }, items.length === 0 ? h(Empty, { text: t('networks.values.none') }) : items.map(({ value, n }) => div({ class: 'rule-row value', key: value },
  span({ class: 'mono' }, value || '∅'), h(Meter, { label: `${value}: ${n}`, parts: [[kind, n], ['', items[0].n - n]] }), span(null, f.number(n)))));

const Samples = ({ acronym, title, items }) => h(Card, { title }, items.length === 0 ? h(Empty, { text: '–' })
  : ul({ class: 'why' }, items.map((identifier) => li({ key: identifier }, a({ href: place(acronym, 'record', identifier) }, h(Id, null, identifier))))));

const OneRule = ({ acronym, snapshot, name }) => div(null, h(Head, { title: name, crumbs: crumbs(acronym, snapshot) }),
  h(Data, { from: path`snapshots/${snapshot}/diagnosis/rule` + query({ name, limit: 20 }) }, ({ good, bad, kept, broken }) => div({ class: 'two even' },
    div(null, h(Values, { title: t('networks.values.bad'), items: bad, kind: 'DEAD' }), h(Samples, { acronym, title: t('networks.breaks'), items: broken })),
    div(null, h(Values, { title: t('networks.values.good'), items: good, kind: 'good-part' }), h(Samples, { acronym, title: t('networks.holds'), items: kept })))));

const Records = ({ acronym, snapshot, status, after }) => div(null, h(Head, { title: t('networks.records.title'), crumbs: crumbs(acronym, snapshot) }),
  div({ class: 'bar' }, h(Tabs, { label: t('state'), name: 'status', shown: status ?? '', items: [{ value: '', text: t('networks.every') },
    ...['VALID', 'INVALID', 'UNTESTED', 'DELETED'].map((value) => ({ value, text: h(Status, { status: value }) }))] })),
  h(Data, { from: path`snapshots/${snapshot}/records` + query({ status, after, limit: 50 }) }, ({ items, next }) => div(null, h(Table, {
    label: t('networks.records'), rows: items, id: (one) => one.identifier, href: (one) => place(acronym, 'record', one.identifier), empty: h(Empty, { text: t('networks.records.none') }),
    columns: [
      { name: t('networks.record'), kind: 'wide', show: (one) => a({ href: place(acronym, 'record', one.identifier) }, h(Id, null, one.identifier)) },
      { name: t('state'), show: (one) => h(Status, { status: one.status }) },
      { name: t('networks.datestamp'), show: (one) => h(Moment, { at: one.datestamp }) },
      { name: t('networks.sets'), show: (one) => one.sets.join(', ') },
      { name: t('networks.details'), kind: 'wide', show: (one) => one.details },
    ],
  }), h(Pager, { next, n: items.length, after }))));

const OneRecord = ({ acronym, identifier }) => h(Data, { from: path`networks/${acronym}/records/${identifier}` }, ({ record, snapshot, status, transformed, details }) => div(null,
  h(Head, { title: identifier, crumbs: crumbs(acronym, snapshot) }, h(Status, { status })),
  div({ class: 'two' },
    div(null, transformed && h(Card, { title: t('networks.transformed') }, h(Body, { text: transformed })), h(Card, { title: t('networks.xml') }, record.xml ? h(Body, { text: record.xml }) : h(Empty, { text: t('networks.DELETED') }))),
    h(Card, { title: t('facts') }, h(Facts, { facts: [[t('networks.datestamp'), h(Moment, { at: record.datestamp })], [t('networks.sets'), record.sets.join(', ')],
      [t('networks.format'), record.metadataPrefix], [t('networks.details'), details]] })))));

const Networks = ({ way: [, acronym, kind, id, more, name], query: { status, after } }) => (
  kind === 'record' ? h(OneRecord, { acronym, identifier: id })
    : kind === 'snapshot' && more === 'records' ? h(Records, { acronym, snapshot: id, status, after })
      : kind === 'snapshot' && more === 'rule' ? h(OneRule, { acronym, snapshot: id, name })
        : kind === 'snapshot' ? h(OneSnapshot, { acronym, id })
          : acronym !== undefined ? h(OneNetwork, { acronym, after }) : h(ListOfNetworks, { after }));

export default { sections: [{ name: 'networks', letter: 'n', view: Networks }], words };

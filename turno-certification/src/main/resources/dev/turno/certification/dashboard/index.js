// Certifications: how requests were answered, what waits to be reconciled, the business days.
import { h, tags } from '../../dom.js';
import { t } from '../../words.js';
import { path, put } from '../../api.js';
import { change } from '../../route.js';
import * as f from '../../format.js';
import { ask, Card, Data, Empty, Head, Id, mayAct, Meter, Moment, perform, State, Table, Tabs } from '../../parts.js';

const { button, div, input, label, span } = tags;

/** The requests' states in the shapes of the others. */
const SHAPE = { IN_PROGRESS: 'DOING', AMBIGUOUS: 'PARKED' };

const Open = () => h(Card, { title: t('certification.open') }, h(Data, { from: 'certification/open' }, ({ items }) => h(Table, {
  label: t('certification.open'), rows: items, id: (one) => one.id, empty: h(Empty, { text: t('certification.open.none') }),
  columns: [
    { name: t('certification.folio'), kind: 'wide', show: (one) => h(Id, null, one.folio) },
    { name: 'AFORE', show: (one) => one.afore },
    { name: t('certification.benefit'), show: (one) => one.benefit },
    { name: t('state'), show: (one) => span({ class: 'state state-' + SHAPE[one.state] }, t('certification.' + one.state)) },
    { name: t('put'), show: (one) => h(Moment, { at: one.begunAt }) },
    { name: t('certification.sent'), show: (one) => h(Moment, { at: one.sentAt }) },
  ],
})));

const Answered = () => h(Card, { title: t('certification.answered') }, h(Data, { from: 'certification/answered' }, ({ items }) => {
  const all = items.reduce((sum, one) => sum + one.count, 0);
  return h(Table, {
    label: t('certification.answered'), keys: false, rows: items, id: (one) => one.benefit + one.result + one.diagnosis, empty: h(Empty, { text: t('certification.none') }),
    columns: [
      { name: t('certification.benefit'), show: (one) => one.benefit },
      { name: t('result'), show: (one) => (one.result === '' ? h(State, { state: 'DOING' }) : span({ class: 'state state-' + (one.result === '01' ? 'DONE' : 'CANCELLED') }, t('certification.' + (one.result === '01' ? 'accepted' : 'rejected')))) },
      { name: t('certification.code'), show: (one) => h(Id, null, one.diagnosis || '–') },
      { name: '', show: (one) => h(Meter, { label: f.percent(one.count / all), parts: [['share', one.count], ['', all - one.count]] }) },
      { name: t('total'), kind: 'figure-cell', show: (one) => f.number(one.count) },
    ],
  });
}));

async function declare(source) {
  const answer = await ask({ title: t('certification.declare'), text: t('certification.declare.ask', { source }), reason: 'required', body: '{"fecha": "", "habil": false, "motivo": "", "referencia": "DOF"}' });
  if (!answer) return;
  await perform(t('certification.declare'), () => {
    const { fecha, ...day } = JSON.parse(answer.body);
    return put(path`calendario/${source}/${fecha}`, day, answer.reason);
  });
}

const Calendar = ({ source, year }) => h(Card, { title: t('certification.calendar') },
  div({ class: 'bar' }, h(Tabs, { label: t('certification.calendar'), name: 'source', shown: source, items: ['CONSAR', 'CNBV'].map((value) => ({ value, text: value })) }),
    label(null, t('certification.year') + ' ', input({ type: 'number', min: 2000, max: 2100, value: year, onChange: (event) => change({ year: event.target.value }) })),
    mayAct() && button({ type: 'button', onClick: () => declare(source) }, t('certification.declare'))),
  h(Data, { from: path`calendario/${source}/anio/${year}` }, ({ items: days }) => h(Table, {
    label: t('certification.calendar'), keys: false, rows: days, id: (one) => one.fecha, empty: h(Empty, { text: t('certification.days.none') }),
    columns: [
      { name: t('certification.day'), show: (one) => one.fecha },
      { name: t('state'), show: (one) => h('span', { class: 'state ' + (one.habil ? 'state-DONE' : 'state-CANCELLED') }, t(one.habil ? 'certification.open.day' : 'certification.closed.day')) },
      { name: t('reason'), kind: 'wide', show: (one) => one.motivo },
    ],
  })));

const Certification = ({ query: { source = 'CONSAR', year = String(new Date().getFullYear()) } }) => div(null,
  h(Head, { title: t('certification') }), h(Open), div({ class: 'two' }, h(Answered), h(Calendar, { source, year })));

export default {
  sections: [{ name: 'certification', letter: 'c', view: Certification }],
  words: {
    'certification': ['Certification', 'Certificación'],
    'attention.calendar': ['The calendar “{name}” is not loaded', 'El calendario «{name}» no está cargado'],
    'attention.ambiguous': ['{n} certification to reconcile|{n} certifications to reconcile', '{n} certificación por conciliar|{n} certificaciones por conciliar'],
    'certification.open': ['Under way or to reconcile', 'En curso o por conciliar'],
    'certification.open.none': ['Every request has its answer.', 'Toda solicitud tiene su respuesta.'],
    'certification.answered': ['The newest thousand by answer', 'Las mil más recientes por respuesta'],
    'certification.none': ['Requests appear here when they come.', 'Las solicitudes aparecen aquí cuando llegan.'],
    'certification.folio': ['folio', 'folio'],
    'certification.benefit': ['benefit', 'prestación'],
    'certification.code': ['code', 'código'],
    'certification.sent': ['sent', 'enviada'],
    'certification.IN_PROGRESS': ['under way', 'en curso'],
    'certification.AMBIGUOUS': ['to reconcile', 'por conciliar'],
    'certification.accepted': ['accepted', 'aceptada'],
    'certification.rejected': ['rejected', 'rechazada'],
    'certification.calendar': ['Calendar', 'Calendario'],
    'certification.year': ['Year', 'Año'],
    'certification.day': ['day', 'día'],
    'certification.open.day': ['business day', 'hábil'],
    'certification.closed.day': ['closed', 'inhábil'],
    'certification.days.none': ['No days were loaded for this year; the rules alone decide.', 'No hay días cargados para este año; deciden solo las reglas.'],
    'certification.declare': ['Declare a day', 'Declarar un día'],
    'certification.declare.ask': ['Say for {source} which day is open or closed, and why.', 'Indique para {source} qué día es hábil o inhábil y por qué.'],
  },
};

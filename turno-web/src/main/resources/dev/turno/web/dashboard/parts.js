// What the views are made of.
import { h, tags, Component, createRef } from './dom.js';
import { hasWord, pieces, t } from './words.js';
import { watch, refresh } from './live.js';
import { path } from './api.js';
import { change, read, to } from './route.js';
import * as f from './format.js';

const { a, button, code, dd, details, div, dl, dt, form, h2, input, label, li, nav, ol, p, pre, span, summary, svg, table, tbody, td, textarea, th,
  thead, time, tr, ul } = tags;

// ---- Small things

export const State = ({ state }) => span({ class: 'state state-' + state }, t('state.' + state));

export const Count = ({ n, href, title }) => {
  const shown = span({ title: title ?? f.number(n) }, f.count(n));
  return href && n > 0 ? a({ href }, shown) : shown;
};

/** Who ended by itself has a lease that ends at the same moment. */
export const lifeOf = ({ reapedAt, leaseUntil, lapsed }) => (reapedAt ? (reapedAt === leaseUntil ? 'left' : 'reaped') : lapsed ? 'lapsed' : 'alive');

export const Id = ({ children }) => code(null, children);

/** Says how long ago, or in how long; the exact moment on hover, and when copied. */
export class Moment extends Component {
  componentDidMount() { this.timer = setInterval(() => this.setState({}), 1000); }
  componentWillUnmount() { clearInterval(this.timer); }
  render({ at, none = '–' }) {
    return at ? time({ dateTime: at, title: `${f.exact(at)} · ${at}` }, f.relative(at)) : span({ class: 'soft' }, none);
  }
}

/** Counts down to a moment. */
export class Countdown extends Component {
  componentDidMount() { this.timer = setInterval(() => this.setState({}), 200); }
  componentWillUnmount() { clearInterval(this.timer); }
  render({ at }) {
    if (!at) return span({ class: 'soft' }, '–');
    const ms = Math.max(0, new Date(at).getTime() - Date.now());
    return time({ dateTime: at, title: f.exact(at), class: 'mono' }, f.duration(ms < 10_000 ? Math.round(ms / 100) * 100 : ms));
  }
}

/** Also over plain HTTP, where browsers keep the clipboard from scripts, and where they refuse it. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

export const Copy = ({ text }) =>
  button({ class: 'tiny', type: 'button', onClick: () => copy(text).then(() => note(t('copied'))) }, t('copy'));

export const Meter = ({ parts, label: said }) => {
  const sum = parts.reduce((all, [, n]) => all + n, 0);
  return div({ class: 'meter', role: 'img', 'aria-label': said },
    parts.filter(([, n]) => n > 0).map(([name, n]) => span({ class: name, style: { width: `${(100 * n) / sum}%` } })));
};

export const ProgressBar = ({ part, label: said }) =>
  div({ class: 'meter', role: 'progressbar', 'aria-label': said, 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': Math.round(part * 100) },
    span({ class: 'progress', style: { width: `${part * 100}%` } }));

/** A line without axes, with its figures in words for those who do not see it. */
export const Spark = ({ values, kind = '', label: said }) => {
  const most = Math.max(1, ...values);
  const step = 100 / Math.max(1, values.length - 1);
  const line = values.map((value, i) => `${(i * step).toFixed(2)},${(26 - (24 * value) / most).toFixed(2)}`).join('L');
  return svg({ class: 'spark ' + kind, viewBox: '0 0 100 28', preserveAspectRatio: 'none', role: 'img', 'aria-label': said },
    values.length > 1 && [h('path', { class: 'area', d: `M0,28L${line}L100,28Z` }), h('path', { d: 'M' + line })]);
};

export const Empty = ({ text, command }) => div({ class: 'empty' }, div(null, text), command && code(null, command));

export const Trouble = ({ problem, retry }) => div({ class: 'problem', role: 'alert' },
  span(null, problem.status === 0 ? t('problem.away') : problem.message || String(problem.status)),
  retry && button({ class: 'tiny', type: 'button', onClick: retry }, t('retry')));

/** What cannot be shown must not take the rest of the page with it. */
export class Safe extends Component {
  componentDidCatch(error) {
    console.error(error);
    this.setState({ error });
  }

  render({ children }, { error }) {
    return error ? h(Trouble, { problem: { message: t('problem.view', { why: error.message }) }, retry: () => this.setState({ error: null }) }) : children;
  }
}

export const Head = ({ title, crumbs = [], state, children }) => div({ class: 'head' },
  crumbs.length > 0 && nav({ class: 'crumbs', 'aria-label': t('crumbs') },
    crumbs.map(([text, href], i) => [i > 0 && ' › ', a({ href }, text)])),
  h('h1', { tabindex: -1 }, title), state && h(State, { state }), children && div({ class: 'acts' }, children));

const capital = (title) => (typeof title === 'string' ? title[0].toLocaleUpperCase() + title.slice(1) : title);

export const Card = ({ title, aside, children }) =>
  h('section', { class: 'card' }, title && div({ class: 'card-head' }, h2(null, capital(title)), aside && span({ class: 'soft small' }, aside)), children);

export const Facts = ({ facts }) => dl({ class: 'facts' },
  facts.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false).map(([name, value]) => [dt(null, name), dd(null, value)]));

export const Timeline = ({ steps }) => ol({ class: 'timeline' }, steps.filter(Boolean).map(({ kind = '', text, at, more }) =>
  li({ class: kind }, div(null, text, at && [' ', span({ class: 'soft small' }, f.clock(at), ' · ', h(Moment, { at }))]), more && div({ class: 'more small' }, more))));

/** An error within a list: its first line, the rest on wish. */
export function ShortError({ text }) {
  const first = text.split('\n', 1)[0];
  return text.length > first.length ? details(null, summary(null, first), pre(null, text)) : span({ class: 'soft' }, first);
}

/** The first line large, the rest folded, all of it to be copied. */
export function ErrorText({ text }) {
  const first = text.split('\n', 1)[0];
  return div({ class: 'row top-row' },
    div(null, p({ class: 'error-line' }, first), text.length > first.length && details(null, summary(null, t('stack')), pre(null, text))), h(Copy, { text }));
}

/** As it is: a browser that understood it would round its long numbers. */
export const Body = ({ text }) => div({ class: 'row top-row' }, pre({ tabindex: 0, 'aria-label': t('body') }, text), h(Copy, { text }));

// ---- Data

/** What an address of the API gives, kept fresh; `children` makes the view of it. A quiet one shows `meanwhile` until it has something. */
export class Data extends Component {
  constructor(props) {
    super(props);
    this.state = { now: { data: undefined, problem: null }, address: null };
  }

  componentDidMount() { this.watch(); }
  componentDidUpdate() { if (this.props.from !== this.address) this.watch(); }
  componentWillUnmount() { this.stop?.(); }

  watch() {
    this.stop?.();
    const address = this.props.from;
    this.address = address;
    this.stop = watch(address, (now) => { if (this.address === address) this.setState({ now, address }); });
  }

  render({ from, children, quiet, meanwhile }, { now, address }) {
    const make = Array.isArray(children) ? children[0] : children;
    const { data, problem } = now;
    if (data === undefined || data === null) {
      if (quiet) return meanwhile ? div(null, meanwhile) : null;
      if (problem && address === from) return h(Trouble, { problem, retry: refresh });
      return div({ class: 'skeleton', 'aria-label': t('loading') });
    }
    const old = address !== from || problem;
    return div({ class: old ? 'stale' : '' }, problem && !quiet && h(Trouble, { problem, retry: refresh }), make(data));
  }
}

export const Why = ({ kind, id }) => h(Card, { title: t('why') },
  h(Data, { from: `why/${kind}/` + id.map((part) => path`${part}`).join('/') },
    (answer) => ul({ class: 'why' }, answer.reasons.map((reason, i) => li(null, hasWord('why.' + reason.code) ? h(Sentence, reason) : answer.because[i])))));

/** What a value of a sentence looks like; the others are text. */
const VALUES = {
  at: (at) => h(Moment, { at }),
  since: (at) => time({ dateTime: at, title: f.exact(at) }, Date.now() - new Date(at).getTime() < 43_200_000 ? f.clock(at) : f.exact(at)),
  state: (state) => t('state.' + state),
  run: (run) => a({ href: to(['runs', run]) }, run),
  node: (node) => a({ href: to(['holders']) }, node),
};

const Sentence = ({ code: word, values }) => {
  const shown = Object.entries(values).map(([name, value]) => [name, VALUES[name]?.(value) ?? (typeof value === 'number' ? f.number(value) : value)]);
  return span(null, pieces('why.' + word, { n: values.n, ...Object.fromEntries(shown) }));
};

// ---- Lists

/** Tabs of states with their counts; the one shown stands in the address bar. */
export const Tabs = ({ label: said, items, shown, name = 'state' }) => {
  const { way, query } = read();
  return nav({ class: 'tabs', 'aria-label': said }, items.map(({ value, text, n }) =>
    a({ href: to(way, { ...query, after: undefined, [name]: value }), 'aria-current': value === shown ? 'page' : undefined },
      text ?? h(State, { state: value }), n !== undefined && span({ class: 'soft' }, f.count(n)))));
};

/** A filter that stands in the address bar as it is typed; until then what comes in meanwhile must not take letters away. */
export class Filter extends Component {
  componentWillUnmount() { clearTimeout(this.timer); }

  render({ value, name = 'q', placeholder }) {
    const changed = (event) => {
      this.typed = event.target.value;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => {
        const text = this.typed;
        this.typed = undefined;
        change({ [name]: text }, { step: false });
      }, 250);
    };
    return input({ type: 'search', class: 'grow', value: this.typed ?? value ?? '', placeholder, 'aria-label': placeholder, maxLength: 200, onInput: changed });
  }
}

export const Pager = ({ next, n, after, name = 'after' }) => {
  const { way, query } = read();
  return (n > 0 || after || next) && div({ class: 'pager' }, span({ class: 'soft small' }, n === 0 && next ? t('searched.part') : t('shown', { n: f.number(n) })),
    after && a({ href: to(way, { ...query, [name]: undefined }) }, '‹ ' + t('first.page')),
    next && a({ href: to(way, { ...query, [name]: next }) }, t(n === 0 ? 'look.on' : 'next.page') + ' ›'));
};

/** Rows, walked with j and k, opened with Enter, selected with x; with Shift from the last one on. */
export class Table extends Component {
  constructor(props) {
    super(props);
    this.state = { at: -1 };
    this.onKey = this.onKey.bind(this);
  }

  componentDidMount() { if (this.props.keys !== false) addEventListener('turno-key', this.onKey); }
  componentWillUnmount() { removeEventListener('turno-key', this.onKey); }

  onKey({ detail: key }) {
    const { rows, href } = this.props;
    const at = Math.min(this.state.at, rows.length - 1);
    if (key === 'j' || key === 'k') {
      const next = Math.max(0, Math.min(rows.length - 1, at + (key === 'j' ? 1 : -1)));
      this.setState({ at: next }, () => this.body?.children[next]?.scrollIntoView({ block: 'nearest' }));
    } else if (key === 'Enter' && at >= 0 && href) {
      location.hash = href(rows[at]);
    } else if (key === 'x' && at >= 0) {
      this.select(at, false);
    }
  }

  select(index, range) {
    const { rows, id, selected, onSelect } = this.props;
    if (!selected) return;
    const now = new Set(selected);
    const on = !now.has(id(rows[index]));
    const last = range ? rows.findIndex((row) => id(row) === this.last) : -1; // by its id: rows come and go meanwhile
    const from = last < 0 ? index : last;
    for (let i = Math.min(from, index); i <= Math.max(from, index); i++) now[on ? 'add' : 'delete'](id(rows[i]));
    this.last = id(rows[index]);
    onSelect(now);
  }

  render({ label: said, columns, rows, id, selected, onSelect, empty }, { at }) {
    if (rows.length === 0) return div({ class: 'list' }, empty);
    const all = selected && rows.every((row) => selected.has(id(row)));
    return div({ class: 'list', tabindex: 0, role: 'region', 'aria-label': said }, table(null,
      thead(null, tr(null,
        selected && th({ class: 'fit' }, input({ type: 'checkbox', checked: all, 'aria-label': t('select.all'),
          onChange: () => onSelect(all ? new Set() : new Set(rows.map(id))) })),
        columns.map(({ name, kind = '' }) => th({ class: kind, scope: 'col' }, name)))),
      tbody({ ref: (body) => { this.body = body; } }, rows.map((row, i) =>
        tr({ key: id(row), class: (i === at ? 'at ' : '') + (selected?.has(id(row)) ? 'selected' : '') },
          selected && td({ class: 'fit' }, input({ type: 'checkbox', checked: selected.has(id(row)), 'aria-label': t('select.one', { id: id(row) }),
            onClick: (event) => this.select(i, event.shiftKey) })),
          columns.map(({ name, show, kind = '' }) => td({ class: kind, 'data-name': name }, show(row))))))));
  }
}

// ---- Acts

let askHost = null;
let noteHost = null;

/** Asks once; gives { reason, body } or null. What destroys needs a reason, and is never the default. */
export const ask = (question) => askHost.ask(question);
export const note = (text, bad = false) => noteHost.add(text, bad);

/** What became of an act. Nobody tries one again by itself, and if no answer came it may have been done. */
export const noteProblem = (problem) => note(problem.status === 0 ? t('problem.act') : problem.message || String(problem.status), true);

/** Does it, says what came of it, and asks again for what is shown. */
export async function perform(what, act) {
  try {
    const said = await act();
    note(typeof said === 'string' ? said : t('done.it', { what })); // else it is the server's answer
    return true;
  } catch (problem) {
    noteProblem(problem);
    return false;
  } finally {
    // At once, and when those who do the work have heard of it.
    [0, 1_000, 3_000].forEach((wait) => setTimeout(refresh, wait));
  }
}

let role = 'viewer';
export const setRole = (now) => { role = now; };
export const mayAct = () => role === 'operator' || role === 'admin';

/** A button for operators; others do not see it. */
export const Act = ({ label: what, question, danger, reason, primary, run, tiny }) => mayAct() && button({
  type: 'button', class: [danger && 'danger', primary && 'primary', tiny && 'tiny'].filter(Boolean).join(' '),
  onClick: async () => {
    const answer = question ? await ask({ title: what, text: question, danger, reason }) : {};
    if (answer) await perform(what, () => run(answer));
  },
}, what);

export class AskHost extends Component {
  constructor(props) {
    super(props);
    this.dialog = createRef();
    this.state = { question: null };
    askHost = this;
  }

  ask(question) {
    return new Promise((answer) => {
      this.answer = answer;
      this.setState({ question }, () => this.dialog.current.showModal());
    });
  }

  close(answer) {
    const tell = this.answer;
    this.answer = null;
    this.dialog.current?.close();
    this.setState({ question: null });
    tell?.(answer);
  }

  render(props, { question }) {
    if (!question) return null;
    const { title, text, danger, reason, body, children } = question;
    const submitted = (event) => {
      event.preventDefault();
      const given = new FormData(event.target);
      this.close({ reason: given.get('reason') ?? '', body: given.get('body') });
    };
    return h('dialog', { ref: this.dialog, onClose: () => this.close(null), 'aria-labelledby': 'ask-title' },
      form({ onSubmit: submitted }, h2({ id: 'ask-title' }, title), text && p(null, text), children,
        body !== undefined && label({ class: 'field' }, t('body'), textarea({ name: 'body', rows: 10, spellcheck: false, defaultValue: body })),
        reason && label({ class: 'field' }, t('reason'), input({ name: 'reason', required: reason === 'required', maxLength: 200, autocomplete: 'off' }),
          span({ class: 'soft small' }, t('reason.hint'))),
        div({ class: 'acts' },
          button({ type: 'button', autofocus: danger && !reason, onClick: () => this.close(null) }, children ? t('close') : t('cancel')),
          !children && button({ type: 'submit', class: danger ? 'danger' : 'primary' }, title))));
  }
}

export class NoteHost extends Component {
  constructor(props) {
    super(props);
    this.state = { notes: [] };
    noteHost = this;
  }

  add(text, bad) {
    const made = { text, bad, id: performance.now() };
    this.setState(({ notes }) => ({ notes: [...notes.slice(-3), made] }));
    setTimeout(() => this.setState(({ notes }) => ({ notes: notes.filter((one) => one !== made) })), bad ? 10_000 : 4_000);
  }

  render(props, { notes }) {
    return div({ class: 'notes', role: 'status', 'aria-live': 'polite' },
      notes.map(({ text, bad, id }) => div({ key: id, class: bad ? 'note bad' : 'note' }, text)));
  }
}

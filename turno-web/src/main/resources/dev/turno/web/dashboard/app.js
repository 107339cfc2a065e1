// The frame: sign-in, navigation, search, keyboard. Views are functions of the place that the address bar names.
import { h, render, tags, Component } from './dom.js';
import { t, switchLanguage, addWords } from './words.js';
import { session, onSignedOut } from './api.js';
import { connect, hasStream, onStream, retryNow, streamStatus } from './live.js';
import { read, to, go } from './route.js';
import * as f from './format.js';
import * as parts from './parts.js';
import { Overview } from './views/overview.js';
import { Inboxes } from './views/inboxes.js';
import { Buffers } from './views/buffers.js';
import { Tasks } from './views/tasks.js';
import { Runs } from './views/runs.js';
import { Locks, Holders, Audit } from './views/others.js';
import { Dead } from './views/dead.js';
import { Search } from './views/search.js';
import { Bulk } from './views/bulk.js';

const { a, button, div, form, header, img, input, kbd, label, li, main, nav, p, span, ul } = tags;

const logo = new URL('./turno.svg', import.meta.url).href;

const SECTIONS = [
  { name: 'overview', letter: 'o', view: Overview },
  { name: 'inboxes', letter: 'i', view: Inboxes },
  { name: 'buffers', letter: 'b', view: Buffers },
  { name: 'tasks', letter: 't', view: Tasks },
  { name: 'runs', letter: 'r', view: Runs },
  { name: 'locks', letter: 'l', view: Locks },
  { name: 'dead', letter: 'd', view: Dead },
  { name: 'holders', letter: 'h', view: Holders, later: true },
  { name: 'audit', letter: 'a', view: Audit, later: true, acts: true },
];
/** Those that the role may see. */
const sections = () => SECTIONS.filter((one) => !one.acts || parts.mayAct());
const HIDDEN = { search: Search, bulk: Bulk };

/** What a part that a module adds may use and say. */
function addPart({ sections = [], words = {} }) {
  addWords(words);
  SECTIONS.splice(SECTIONS.findIndex((one) => one.later), 0, ...sections);
}

const deadIn = (figures) => figures.inboxes.reduce((n, one) => n + one.counts.dead, 0) + figures.buffers.reduce((n, one) => n + one.counts.dead, 0)
  + figures.tasks.reduce((n, one) => n + (one.byState.DEAD ?? 0), 0) + figures.runs.dead;

const THEMES = ['auto', 'light', 'dark'];
const theme = { now: localStorage.getItem('turno.theme') ?? 'auto' };
function setTheme(wished) {
  theme.now = THEMES.includes(wished) ? wished : 'auto';
  localStorage.setItem('turno.theme', theme.now);
  if (theme.now === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.now;
  dispatchEvent(new Event('turno-theme'));
}
setTheme(theme.now);

class SignIn extends Component {
  render({ onSignedIn }, { problem, busy }) {
    const submitted = async (event) => {
      event.preventDefault();
      this.setState({ busy: true, problem: null });
      try {
        onSignedIn(await session.begin(new FormData(event.target).get('token').trim()));
      } catch (refused) {
        const said = refused.status === 401 ? t('token.wrong') : refused.message || t('problem.away');
        this.setState({ busy: false, problem: said });
      }
    };
    return main({ class: 'sign-in' }, form({ class: 'card', onSubmit: submitted },
      div({ class: 'brand' }, img({ src: logo, alt: '' }), h('h1', null, 'Turno')),
      problem && div({ class: 'problem', role: 'alert' }, problem),
      label({ class: 'field' }, t('token'), input({ name: 'token', type: 'password', required: true, autofocus: true, autocomplete: 'current-password' })),
      button({ class: 'primary', disabled: busy }, t('sign.in')),
      p({ class: 'soft small' }, t('token.hint'))));
  }
}

class Stream extends Component {
  constructor(props) {
    super(props);
    this.state = { status: streamStatus() };
  }

  componentDidMount() {
    this.stop = onStream((status) => this.setState({ status }));
    this.timer = setInterval(() => { if (!this.state.status.live) this.setState({}); }, 1000);
  }

  componentWillUnmount() { this.stop(); clearInterval(this.timer); }

  render(props, { status: { live, retryAt } }) {
    if (!hasStream) return span({ class: 'stream', title: t('polled.why') }, t('polled'));
    if (live) return span({ class: 'stream' }, t('live'));
    const left = retryAt ? Math.max(0, Math.ceil((retryAt - Date.now()) / 1000)) : null;
    return button({ class: 'plain stream down', type: 'button', title: t('stale.retry'), onClick: retryNow },
      t('stale') + (left ? ` · ${t('retry.in', { n: left })}` : ''));
  }
}

class App extends Component {
  constructor(props) {
    super(props);
    this.state = { who: undefined, place: read(), menu: false };
  }

  async componentDidMount() {
    addEventListener('hashchange', () => this.moved());
    addEventListener('keydown', (event) => this.pressed(event));
    onSignedOut(() => this.state.who && this.setState({ who: null }));
    try {
      this.signedIn(await session.show());
    } catch (problem) {
      this.setState({ problem });
    }
  }

  signedIn(who) {
    if (who) {
      parts.setRole(who.role);
      connect();
    }
    this.setState({ who, problem: null });
  }

  moved() {
    const before = this.state.place.way.join('/');
    this.setState({ place: read(), menu: false }, () => {
      if (read().way.join('/') !== before) {
        scrollTo(0, 0);
        document.querySelector('h1')?.focus({ preventScroll: true });
      }
    });
  }

  pressed(event) {
    const field = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== 'checkbox';
    if (!this.state.who || field || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
    const section = this.going && sections().find((one) => one.letter === event.key);
    this.going = event.key === 'g' && !this.going;
    if (section) go(to([section.name]));
    else if (event.key === '/') { event.preventDefault(); document.querySelector('.find input')?.focus(); }
    else if (event.key === '?') this.help();
    else if ('jkx'.includes(event.key)) dispatchEvent(new CustomEvent('turno-key', { detail: event.key }));
    else if (event.key === 'Enter' && !/^(A|BUTTON|SUMMARY)$/.test(event.target.tagName)) dispatchEvent(new CustomEvent('turno-key', { detail: 'Enter' }));
  }

  help() {
    const keys = [['/', 'keys.search'], ['g', 'keys.go'], ['j k', 'keys.move'], ['Enter', 'keys.open'], ['x', 'keys.select'], ['?', 'keys.help']];
    parts.ask({ title: t('keys.title'), children: h(parts.Facts, { facts: keys.map(([key, word]) => [kbd(null, key), t(word, { letters: sections().map((one) => one.letter).join(' ') })]) }) });
  }

  render(props, { who, place, menu, problem }) {
    if (problem) return main({ class: 'sign-in' }, h(parts.Trouble, { problem, retry: () => location.reload() }));
    if (who === undefined) return null;
    if (who === null) return h(SignIn, { onSignedIn: (signedIn) => this.signedIn(signedIn) });
    const [name = 'overview'] = place.way;
    const section = SECTIONS.find((one) => one.name === name);
    const view = section?.view ?? HIDDEN[name];
    return div({ class: 'frame' },
      a({ class: 'skip', href: '#content', onClick: (event) => { event.preventDefault(); document.getElementById('content').focus(); } }, t('skip')),
      div({ class: 'side' + (menu ? ' shown' : ''), id: 'side' },
        a({ class: 'brand', href: to(['overview']) }, img({ src: logo, alt: '' }), 'Turno'),
        nav({ 'aria-label': t('nav') }, h(parts.Data, { from: 'overview', quiet: true, meanwhile: this.links(name, 0) }, (figures) => this.links(name, deadIn(figures)))),
        div({ class: 'side-foot' }, t('signed.in', { name: who.name, role: t('role.' + who.role) }),
          div(null, button({ class: 'tiny', type: 'button', onClick: () => session.end().then(() => this.setState({ who: null }), parts.noteProblem) }, t('sign.out'))))),
      div({ class: 'main' },
        header({ class: 'top' },
          button({ class: 'menu-button', type: 'button', 'aria-expanded': menu, 'aria-controls': 'side', onClick: () => this.setState({ menu: !menu }) }, '☰ ' + t('menu')),
          form({ class: 'find', role: 'search', onSubmit: (event) => { event.preventDefault(); go(to(['search'], { q: new FormData(event.target).get('q') })); } },
            input({ name: 'q', type: 'search', placeholder: t('search'), 'aria-label': t('search'), maxLength: 200 }), kbd({ 'aria-hidden': true, class: 'wide-only' }, '/')),
          span({ class: 'spacer' }), h(Stream),
          button({ class: 'plain', type: 'button', title: t('theme', { theme: t('theme.' + theme.now) }), 'aria-label': t('theme', { theme: t('theme.' + theme.now) }),
            onClick: () => { setTheme(THEMES[(THEMES.indexOf(theme.now) + 1) % 3]); this.setState({}); } }, { auto: '◑', light: '☀', dark: '☾' }[theme.now]),
          button({ class: 'plain', type: 'button', lang: t('language') === 'Español' ? 'es' : 'en', onClick: () => { switchLanguage(); this.setState({}); } }, t('language')),
          button({ class: 'plain wide-only', type: 'button', 'aria-label': t('keys.title'), onClick: () => this.help() }, '?')),
        main({ class: 'content', id: 'content', tabindex: -1 }, view ? h(parts.Safe, { key: place.way.join('/') }, h(view, place)) : h(parts.Empty, { text: t('not.here') }))),
      h(parts.AskHost), h(parts.NoteHost));
  }

  links(shown, dead) {
    const seen = sections();
    const firstLater = seen.findIndex((one) => one.later);
    document.title = (dead > 0 ? `(${f.count(dead)}) ` : '') + t(SECTIONS.some((one) => one.name === shown) ? shown : 'overview') + ' · Turno';
    return ul({ class: 'nav' }, seen.map(({ name }, i) => [i === firstLater && li({ class: 'rule', 'aria-hidden': true }),
      li(null, a({ href: to([name]), 'aria-current': name === shown ? 'page' : undefined }, t(name), name === 'dead' && dead > 0 && span({ class: 'badge' }, f.count(dead))))]));
  }
}

const added = document.querySelector('meta[name="turno-parts"]').content.split(' ').filter(Boolean);
const loaded = await Promise.allSettled(added.map((name) => import(`./parts/${name}/index.js`)));
loaded.forEach((part) => (part.status === 'fulfilled' ? addPart(part.value.default) : console.error(part.reason)));
render(h(App), document.getElementById('app'));

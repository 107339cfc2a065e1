// Acts on all messages that match a filter: how many they are, one question, and how far it is. It goes on as long as the page is open.
import { h, tags, Component } from '../dom.js';
import { t } from '../words.js';
import { get, path, post, query } from '../api.js';
import { to } from '../route.js';
import * as f from '../format.js';
import { ask, Card, Empty, Facts, Head, Id, mayAct, ProgressBar, State, Trouble } from '../parts.js';

const { a, button, div, p } = tags;

class Progress extends Component {
  constructor(props) {
    super(props);
    this.state = { phase: 'ready', done: 0, refused: 0 };
  }

  componentWillUnmount() { this.stopped = true; }

  async begin() {
    const { name, act, state, q, count } = this.props;
    const danger = act === 'CANCEL';
    const answer = await ask({ title: t(`bulk.${act}`), text: t('bulk.ask', { what: t(`bulk.${act}`), n: count, name }), danger, reason: danger ? 'required' : 'optional' });
    if (!answer) return;
    this.stopped = false;
    this.setState({ phase: 'doing', problem: null });
    try {
      do {
        const part = await post(path`inboxes/${name}/bulk`, { act, state, q, after: this.after }, answer.reason);
        this.after = part.after;
        this.setState(({ done, refused }) => ({ done: done + part.done, refused: refused + part.refused }));
      } while (this.after && !this.stopped);
      this.setState({ phase: this.after ? 'stopped' : 'done' });
    } catch (problem) {
      this.setState({ phase: 'stopped', problem: problem.message || t('problem.away') });
    }
  }

  render({ act, n, name, state, q }, { phase, done, refused, problem }) {
    const part = phase === 'done' ? 1 : n ? Math.min(1, (done + refused) / n) : 0;
    return div(null,
      problem && div({ class: 'problem', role: 'alert' }, problem),
      phase !== 'ready' && div({ class: 'bulk-progress' }, h(ProgressBar, { part, label: t('progress') }),
        p({ role: 'status' }, t(`bulk.${phase}`, { done: f.number(done) }), refused > 0 && ' ' + t('bulk.refused', { n: f.number(refused) }))),
      div({ class: 'acts' },
        (phase === 'ready' || phase === 'stopped') && n > 0 && mayAct() && button({ type: 'button', class: act === 'CANCEL' ? 'danger' : 'primary', onClick: () => this.begin() },
          t(phase === 'ready' ? `bulk.${act}` : 'bulk.go.on')),
        phase === 'doing' && button({ type: 'button', onClick: () => { this.stopped = true; } }, t('stop')),
        a({ class: 'button', href: to(['inboxes', name], { state, q }) }, t('bulk.back'))));
  }
}

const said = ({ count, more }) => f.number(count) + (more ? '+' : '');

/** Counted once, not all the time: it costs, and what is acted on goes out of the list. */
export class Bulk extends Component {
  async componentDidMount() {
    const { way: [, name], query: { state, q } } = this.props;
    try {
      this.setState({ counted: await get(path`inboxes/${name}/bulk` + query({ state, q })) });
    } catch (problem) {
      this.setState({ problem });
    }
  }

  render({ way: [, name], query: { act, state, q } }, { counted, problem }) {
    if (!['REVIVE', 'CANCEL', 'HASTEN'].includes(act)) return h(Empty, { text: t('not.here') });
    return div(null,
      h(Head, { title: t(`bulk.${act}`), crumbs: [[t('inboxes'), to(['inboxes'])], [name, to(['inboxes', name], { state, q })]] }),
      problem && h(Trouble, { problem }), !counted && !problem && div({ class: 'skeleton', 'aria-label': t('loading') }),
      counted && h(Card, { title: t('bulk.title') },
        h(Facts, { facts: [[t('inbox'), name], [t('state'), h(State, { state })], [t('bulk.filter'), q ? h(Id, null, q) : t('bulk.all')],
          [t('bulk.count'), h('strong', { class: 'bulk-count' }, said(counted))]] }),
        p({ class: 'soft' }, t(`bulk.${act}.says`)),
        h(Progress, { name, act, state, q, n: counted.count, count: said(counted) })));
  }
}

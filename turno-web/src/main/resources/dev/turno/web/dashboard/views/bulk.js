// Acts on all messages that match a filter: how many they are, and one question. Then a run does it, whoever looks, and its page shows how far it is.
import { h, tags, Component } from '../dom.js';
import { t } from '../words.js';
import { get, path, post, query } from '../api.js';
import { go, to } from '../route.js';
import * as f from '../format.js';
import { Act, Card, Empty, Facts, Head, Id, mayAct, State, Trouble } from '../parts.js';

const { a, div, p } = tags;

const said = ({ count, more }) => f.number(count) + (more ? '+' : '');

const Begin = ({ name, act, state, q, counted }) => h(Act, { label: t(`bulk.${act}`), danger: act === 'CANCEL', primary: act !== 'CANCEL',
  question: t('bulk.ask', { what: t(`bulk.${act}`), n: said(counted), name }), reason: act === 'CANCEL' ? 'required' : 'optional',
  run: async ({ reason }) => {
    const { id } = await post(path`inboxes/${name}/bulk`, { act, state, q }, reason);
    go(to(['runs', id]));
    return t('bulk.begun');
  } });

/** Counted once, not all the time: it costs, and what is acted on goes out of the list. */
class Counted extends Component {
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
        p({ class: 'soft' }, t(`bulk.${act}.says`), mayAct() && ' ' + t('bulk.goes.on')),
        div({ class: 'acts' }, (counted.count > 0 || counted.more) && h(Begin, { name, act, state, q, counted }),
          a({ class: 'button', href: to(['inboxes', name], { state, q }) }, t('bulk.back')))));
  }
}

/** Another inbox or filter is another count. */
export const Bulk = (place) => h(Counted, { key: JSON.stringify([place.way, place.query]), ...place });

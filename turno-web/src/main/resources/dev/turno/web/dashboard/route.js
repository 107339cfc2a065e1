// Where the page is: all of it stands in the address bar, after the #, so that one file serves every place and Back works.
const decoded = (step) => {
  try {
    return decodeURIComponent(step);
  } catch {
    return step; // somebody wrote a lone % by hand
  }
};

export function read(hash = location.hash) {
  const [way, search = ''] = hash.replace(/^#\/?/, '').split('?');
  return {
    way: way.split('/').filter(Boolean).map(decoded),
    query: Object.fromEntries(new URLSearchParams(search)),
  };
}

/** The address of a place: to(['inboxes', 'orders'], { state: 'DEAD' }). */
export function to(way, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return '#/' + way.map(encodeURIComponent).join('/') + (given.length ? '?' + new URLSearchParams(given) : '');
}

export const go = (href) => { location.hash = href; };

/** The same place with another filter; while somebody types, without a step in the history. */
export function change(query, { step = true } = {}) {
  const { way, query: old } = read();
  const href = to(way, { ...old, after: undefined, ...query });
  if (step) return go(href);
  history.replaceState(null, '', href);
  return dispatchEvent(new HashChangeEvent('hashchange'));
}

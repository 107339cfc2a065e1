// Asks the API. All addresses are relative to the page, so that any path of a proxy may stand before them.
import { t } from './words.js';

const base = new URL('../api/v1/', document.baseURI);

export const eventsUrl = new URL('events', base).href;

/** path`inboxes/${name}` with every part made safe. */
export const path = (texts, ...parts) =>
  texts.reduce((all, text, i) => all + encodeURIComponent(parts[i - 1]) + text);

/** `?a=1&b=2` of what is there. */
export function query(values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.length ? '?' + new URLSearchParams(given) : '';
}

// A browser takes these steps out of an address, also when they are written as %2E: a message '..' would become its inbox.
const hasDots = (address) => address.split('?', 1)[0].split('/').some((step) => step === '.' || step === '..');

/** What went wrong, in the server's words. */
export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

let signedOut = () => {};
export const onSignedOut = (listener) => { signedOut = listener; };

// As it is where a header can carry it, else as RFC 8187 writes it.
const inHeader = (text) => (/^[\x20-\x7e\xa0-\xff]*$/.test(text) ? text : "UTF-8''" + encodeURIComponent(text));

async function send(method, address, { body, token, reason, signal } = {}) {
  if (hasDots(address)) throw new Problem(404, t('problem.dots'));
  const headers = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (token) headers.Authorization = 'Bearer ' + token;
  if (reason) headers['Turno-Reason'] = inHeader(reason);
  let answer;
  let text;
  try {
    answer = await fetch(new URL(address, base),
      { method, headers, signal, credentials: 'same-origin', body: body === undefined ? undefined : JSON.stringify(body) });
    text = await answer.text();
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem(0, '');
  }
  const isJson = /json/.test(answer.headers.get('Content-Type') ?? '');
  const json = isJson && text ? JSON.parse(text) : null;
  if (answer.ok) return json;
  if (answer.status === 401 && !token) signedOut();
  throw new Problem(answer.status, json?.detail ?? answer.statusText);
}

export const get = (address, signal) => send('GET', address, { signal });
export const post = (address, body, reason) => send('POST', address, { body, reason });
export const put = (address, body, reason) => send('PUT', address, { body, reason });
export const remove = (address, reason) => send('DELETE', address, { reason });

export const session = {
  show: () => send('GET', 'session').catch((problem) => (problem.status === 401 || problem.status === 403 ? null : Promise.reject(problem))),
  begin: (token) => send('POST', 'session', { token }),
  end: () => send('DELETE', 'session'),
};

// The tab's end of the one event stream, and the data that views share. An event is only a hint to ask again: it comes from one process,
// and what is shown is the whole cluster's.
import { get, eventsUrl } from './api.js';

const SOON = 2_000; // between two askings for the same, however many events come
const NOW_AND_THEN = 5_000; // other processes work too, and this one hears nothing of it
const PATIENCE = 20_000; // with a server that took the question and does not answer

// A stream for each tab would use up the browser's connections to the server: without shared workers there is none.
export const hasStream = 'SharedWorker' in window;

const listeners = new Set();
let status = { live: false, retryAt: null };
let port = null;

export const streamStatus = () => status;
export function onStream(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const hello = (type) => port?.postMessage({ type, url: eventsUrl });

/** From now on, whoever is signed in. Browsers without shared workers ask now and then instead. */
export function connect() {
  if (port) return hello('retry');
  if (!hasStream) return undefined;
  port = new SharedWorker(new URL('./stream.js', import.meta.url), { name: 'turno-stream' }).port;
  port.onmessage = ({ data }) => {
    if (data.type === 'state') {
      status = data;
      listeners.forEach((listener) => listener(status));
    } else {
      sources.forEach((source) => source.hint());
    }
  };
  hello('hello');
  addEventListener('pagehide', () => port.postMessage({ type: 'bye' }));
  addEventListener('pageshow', (event) => event.persisted && hello('hello'));
  return undefined;
}
export const retryNow = () => hello('retry');

const sources = new Map();

/** One address of the API, asked for once however many views show it. */
class Source {
  constructor(address) {
    this.address = address;
    this.watchers = new Set();
    this.now = { data: undefined, problem: null, at: 0 };
    this.asking = null;
    this.askedAt = 0;
    this.hinted = false;
  }

  async ask() {
    if (this.asking) return;
    this.hinted = false;
    this.askedAt = Date.now();
    const asking = new AbortController();
    this.asking = asking;
    const timer = setTimeout(() => asking.abort(new DOMException('', 'TimeoutError')), PATIENCE);
    try {
      const data = await get(this.address, asking.signal);
      this.now = { data, problem: null, at: Date.now() };
    } catch (problem) {
      if (problem.name === 'AbortError') return;
      this.now = { ...this.now, problem };
    } finally {
      clearTimeout(timer);
      this.asking = null;
    }
    this.watchers.forEach((watcher) => watcher(this.now));
  }

  hint() { this.hinted = true; }

  /** Called every second. */
  tick(now) {
    const age = now - this.askedAt;
    const due = this.hinted ? SOON : NOW_AND_THEN;
    if (age >= due) this.ask();
  }
}

export function watch(address, watcher) {
  if (!sources.has(address)) sources.set(address, new Source(address));
  const source = sources.get(address);
  source.watchers.add(watcher);
  if (source.now.at) watcher(source.now);
  if (!source.now.at || Date.now() - source.askedAt > SOON) source.ask();
  return () => {
    source.watchers.delete(watcher);
    if (source.watchers.size === 0) {
      source.asking?.abort();
      sources.delete(address);
    }
  };
}

/** After an act: whatever is shown may have changed. */
export const refresh = () => sources.forEach((source) => source.ask());

setInterval(() => {
  if (!document.hidden) sources.forEach((source) => source.tick(Date.now()));
}, 1000);
document.addEventListener('visibilitychange', () => { if (!document.hidden) refresh(); });

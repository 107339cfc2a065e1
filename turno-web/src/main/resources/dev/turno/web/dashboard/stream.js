// Runs once for all tabs of a browser: one event stream, told to each of them. With a stream per tab the seventh tab would hang, since
// browsers open six connections to a host.
const ports = new Set();
let source = null;
let address = '';
let told = { type: 'state', live: false, retryAt: null };
let failures = 0;
let timer = null;
let heardAt = 0;
const SILENCE = 40_000; // the server gives a sign of life every fifteen seconds

const tell = (message) => ports.forEach((port) => port.postMessage(message));

function state(live, retryAt = null) {
  told = { type: 'state', live, retryAt };
  tell(told);
}

function open() {
  clearTimeout(timer);
  source = new EventSource(address);
  heardAt = Date.now();
  source.onopen = () => { heardAt = Date.now(); failures = 0; state(true); };
  source.addEventListener('alive', () => { heardAt = Date.now(); });
  source.addEventListener('work', (event) => { heardAt = Date.now(); tell({ type: 'work', events: JSON.parse(event.data) }); });
  source.onerror = retry;
}

function retry() {
  close();
  clearTimeout(timer);
  const wait = Math.min(30_000, 1000 * 2 ** failures++);
  state(false, Date.now() + wait);
  timer = setTimeout(open, wait);
}

setInterval(() => { if (source && Date.now() - heardAt > SILENCE) retry(); }, 5_000);

function close() {
  source?.close();
  source = null;
}

/** Nobody listens: whoever comes next begins anew. */
function rest() {
  clearTimeout(timer);
  close();
  failures = 0;
  state(false);
}

self.onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data }) => {
    if (data.type === 'bye') {
      ports.delete(port);
      if (ports.size === 0) rest();
      return;
    }
    ports.add(port);
    address = data.url;
    if (!source && (data.type === 'retry' || !told.retryAt)) open();
    else port.postMessage(told);
  };
};

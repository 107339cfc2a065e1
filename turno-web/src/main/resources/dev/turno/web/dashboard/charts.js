// Charts with axes. The library is loaded when the first one is shown.
import { h, tags, Component, createRef } from './dom.js';
import { t } from './words.js';
import * as f from './format.js';

const { canvas, div, p } = tags;

let loading = null;
const library = () => (loading ??= new Promise((loaded, failed) => {
  const script = document.createElement('script');
  script.src = new URL('./vendor/chart/chart.umd.js', import.meta.url).href;
  script.onload = () => loaded(window.Chart);
  script.onerror = (error) => { // the next update tries again
    loading = null;
    script.remove();
    failed(error);
  };
  document.head.append(script);
}));

/** A token of the style sheet, as the colour that it is now. */
function colour(token) {
  const probe = document.createElement('span');
  probe.style.color = `var(--${token})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
const faint = (rgb) => rgb.replace('rgb(', 'rgba(').replace(')', ', .18)');

/** Lines over time, all in one unit; `series` are { name, token, values }, `show` says a value in words. */
class Lines extends Component {
  constructor(props) {
    super(props);
    this.canvas = createRef();
  }

  componentDidMount() {
    this.scheme = matchMedia('(prefers-color-scheme: dark)');
    this.redraw = () => { this.chart?.destroy(); this.chart = null; this.draw(); };
    this.scheme.addEventListener('change', this.redraw);
    addEventListener('turno-theme', this.redraw);
    this.draw();
  }

  componentDidUpdate() { this.draw(); }

  componentWillUnmount() {
    this.gone = true;
    this.scheme.removeEventListener('change', this.redraw);
    removeEventListener('turno-theme', this.redraw);
    this.chart?.destroy();
  }

  async draw() {
    const Chart = await library();
    if (this.gone) return;
    const { labels, series } = this.props;
    if (!this.chart) this.chart = this.begin(Chart);
    this.chart.data.labels = labels;
    series.forEach(({ name, values }, i) => Object.assign(this.chart.data.datasets[i], { label: name, data: values }));
    this.chart.update('none');
  }

  begin(Chart) {
    const [muted, line] = [colour('muted'), colour('line')];
    const show = (value) => this.props.show(value);
    return new Chart(this.canvas.current, {
      type: 'line',
      data: { labels: [], datasets: this.props.series.map(({ token }) => ({
        data: [], borderColor: colour(token), backgroundColor: faint(colour(token)), fill: true, borderWidth: 1.5, pointRadius: 0, pointHitRadius: 8, tension: 0 })) },
      options: {
        animation: false, maintainAspectRatio: false, interaction: { mode: 'index', intersect: false },
        plugins: {
          legend: { align: 'end', labels: { color: muted, boxWidth: 10, boxHeight: 10 } },
          tooltip: { callbacks: { label: ({ dataset, raw }) => `${dataset.label}: ${show(raw)}` } },
        },
        scales: {
          x: { ticks: { color: muted, maxRotation: 0, autoSkipPadding: 24 }, grid: { display: false }, border: { color: line } },
          y: { beginAtZero: true, ticks: { color: muted, maxTicksLimit: 6, callback: show, ...(this.props.whole && { precision: 0 }) }, grid: { color: line }, border: { display: false } },
        },
      },
    });
  }

  render({ label, summary }) {
    return div(null,
      div({ class: 'chart' }, canvas({ ref: this.canvas, role: 'img', 'aria-label': label + ': ' + summary })),
      p({ class: 'soft small' }, summary));
  }
}

const moments = (points, range) => points.map((point) => (range === 'week' ? f.day(point.at) : f.clock(point.at, range === 'live')));
const sum = (points, name) => points.reduce((all, point) => all + point[name], 0);

/** The slot that is still being filled would look as if all had stopped: a short one is left out, a long one has the rate of its part that is over. */
const shown = ({ points, seconds }) => (seconds > 60 ? points : points.slice(0, -1));
const lasts = ({ at }, seconds) => Math.max(1, Math.min(seconds, (Date.now() - new Date(at).getTime()) / 1000));

/** What was done, tried again and given up, per second. */
export const Throughput = ({ history, range }) => h(Lines, {
  label: t('throughput'), labels: moments(shown(history), range), show: (value) => f.number(value, 2) + '/s',
  summary: t('chart.summary', { done: f.number(sum(history.points, 'done')), again: f.number(sum(history.points, 'again')), dead: f.number(sum(history.points, 'dead')) }),
  series: [['done', 'done'], ['again', 'paused'], ['dead', 'dead']].map(([name, token]) => (
    { name: t('chart.' + name), token, values: shown(history).map((point) => point[name] / lasts(point, history.seconds)) })),
});

/** How long handlers took: half of them, and the slowest of a hundred. */
export const Latency = ({ history, range }) => {
  const { points } = history;
  const all = ['done', 'again', 'dead'].reduce((n, name) => n + sum(points, name), 0);
  return h(Lines, {
    label: t('latency'), labels: moments(shown(history), range), show: (value) => f.duration(value), whole: true,
    summary: t('latency.summary', { mean: f.duration(all ? sum(points, 'spentMs') / all : 0), longest: f.duration(Math.max(0, ...points.map((point) => point.longestMs))) }),
    series: [['p99', 'pending'], ['p95', 'paused'], ['p50', 'accent']].map(([name, token]) => ({ name, token, values: shown(history).map((point) => point[name + 'Ms']) })),
  });
};

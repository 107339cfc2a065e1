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
  script.onerror = failed;
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

const SERIES = [['done', 'done'], ['again', 'paused'], ['dead', 'dead']];

/** What was done, tried again and given up over time, per second. */
export class Throughput extends Component {
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
    const { history, range } = this.props;
    const far = range === 'week' ? f.day : (at) => f.clock(at, range === 'live');
    const labels = history.points.map((point) => far(point.at));
    const values = SERIES.map(([name]) => history.points.map((point) => point[name] / history.seconds));
    if (this.chart) {
      this.chart.data.labels = labels;
      values.forEach((data, i) => { this.chart.data.datasets[i].data = data; this.chart.data.datasets[i].label = t('chart.' + SERIES[i][0]); });
      this.chart.update('none');
      return;
    }
    const [muted, line] = [colour('muted'), colour('line')];
    this.chart = new Chart(this.canvas.current, {
      type: 'line',
      data: { labels, datasets: SERIES.map(([name, token], i) => ({
        label: t('chart.' + name), data: values[i], borderColor: colour(token), backgroundColor: faint(colour(token)), fill: true, borderWidth: 1.5,
        pointRadius: 0, pointHitRadius: 8, tension: 0 })) },
      options: {
        animation: false, maintainAspectRatio: false, interaction: { mode: 'index', intersect: false },
        plugins: {
          legend: { align: 'end', labels: { color: muted, boxWidth: 10, boxHeight: 10 } },
          tooltip: { callbacks: { label: ({ dataset, raw }) => `${dataset.label}: ${f.number(raw, 2)}/s` } },
        },
        scales: {
          x: { ticks: { color: muted, maxRotation: 0, autoSkipPadding: 24 }, grid: { display: false }, border: { color: line } },
          y: { beginAtZero: true, ticks: { color: muted, precision: 0, callback: (value) => f.number(value, 2) }, grid: { color: line }, border: { display: false } },
        },
      },
    });
  }

  render({ history }) {
    const sum = (name) => f.number(history.points.reduce((all, point) => all + point[name], 0));
    return div(null,
      div({ class: 'chart' }, canvas({ ref: this.canvas, role: 'img', 'aria-label': t('throughput') })),
      p({ class: 'soft small' }, t('chart.summary', { done: sum('done'), again: sum('again'), dead: sum('dead') })));
  }
}

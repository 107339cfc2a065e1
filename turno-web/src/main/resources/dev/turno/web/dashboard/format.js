// Figures, moments and durations for people, by their locale.
import { locale } from './words.js';

const formats = new Map();
const format = (kind, options) => {
  const key = locale() + kind + JSON.stringify(options);
  if (!formats.has(key)) formats.set(key, new Intl[kind](locale(), options));
  return formats.get(key);
};

export const number = (n, digits = 0) => format('NumberFormat', { maximumFractionDigits: digits }).format(n);

/** Counts end at ten thousand: nobody acts on the difference, and counting further costs. */
export const MOST = 10_000;
export const count = (n) => number(n) + (n >= MOST ? '+' : '');

/** 1,204 · 12.3 · 0.3 */
export const rate = (n) => number(n, n >= 100 ? 0 : 1);

export const percent = (part) => format('NumberFormat', { style: 'percent', maximumFractionDigits: 0 }).format(part);

const UNITS = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000], ['s', 1000]];

/** At most two units: 2 d 4 h, 12 min 4 s, 1.2 s, 18 ms. */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${number(ms / 1000, 1)} s`;
  const first = UNITS.findIndex(([, size]) => ms >= size);
  const [unit, size] = UNITS[first];
  const whole = Math.floor(ms / size);
  const next = UNITS[first + 1];
  const rest = next ? Math.floor((ms - whole * size) / next[1]) : 0;
  return `${whole} ${unit}` + (rest > 0 ? ` ${rest} ${next[0]}` : '');
}

/** What Java writes for a duration (PT1M2.5S), in milliseconds. */
export function millis(iso) {
  const parts = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/.exec(iso ?? '');
  return parts ? ((+parts[1] || 0) * 3600 + (+parts[2] || 0) * 60 + (+parts[3] || 0)) * 1000 : 0;
}

export function relative(at, now = Date.now()) {
  const ms = new Date(at).getTime() - now;
  const away = Math.abs(ms);
  const [unit, size] = away < 60_000 ? ['second', 1000] : away < 3_600_000 ? ['minute', 60_000]
    : away < 86_400_000 ? ['hour', 3_600_000] : away < 60 * 86_400_000 ? ['day', 86_400_000]
      : away < 730 * 86_400_000 ? ['month', 30.44 * 86_400_000] : ['year', 365.25 * 86_400_000];
  return format('RelativeTimeFormat', { numeric: 'always', style: 'narrow' }).format(Math.trunc(ms / size), unit);
}

export const exact = (at) => format('DateTimeFormat',
  { year: 'numeric', month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short', hourCycle: 'h23' })
  .format(new Date(at));

/** In the zone of a schedule: Monday, 16 November 2026 at 12:55:00 CET; null in one that only the server knows. */
export function inZone(at, zone) {
  const timeZone = zone.replace(/^(UTC|GMT|UT)(?=[+-])/, ''); // browsers know +02:00, but not UTC+02:00
  try {
    return format('DateTimeFormat',
      { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short', hourCycle: 'h23', timeZone })
      .format(new Date(at));
  } catch {
    return null;
  }
}

export const clock = (at, withSeconds = true) => format('DateTimeFormat',
  { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...(withSeconds && { second: '2-digit' }) }).format(new Date(at));

export const day = (at) => format('DateTimeFormat', { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(at));

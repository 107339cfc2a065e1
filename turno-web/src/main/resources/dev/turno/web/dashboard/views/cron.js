// A cron line in plain words, where it is one of the common ones; else the line itself.
import { t, locale } from '../words.js';

const two = (n) => String(n).padStart(2, '0');
const isNumber = (text) => /^\d+$/.test(text);
const DAYS = { SUN: 0, MON: 1, TUE: 2, WED: 3, THU: 4, FRI: 5, SAT: 6 };

function weekdays(text) {
  const numbers = text.toUpperCase().split(',').flatMap((part) => {
    const [from, end = from] = part.split('-').map((one) => DAYS[one] ?? (isNumber(one) ? Number(one) : NaN));
    const last = end < from ? end + 7 : end;
    return Number.isNaN(from) || Number.isNaN(last) ? [NaN] : Array.from({ length: last - from + 1 }, (_, i) => (from + i) % 7);
  });
  if (numbers.some(Number.isNaN)) return null;
  const name = new Intl.DateTimeFormat(locale(), { weekday: 'short', timeZone: 'UTC' });
  return [...new Set(numbers)].map((n) => name.format(new Date(Date.UTC(2023, 0, 1 + n)))).join(', '); // the first of 2023 was a Sunday
}

export function inWords(line) {
  const fields = line.trim().split(/\s+/);
  const [second, minute, hour, date, month, weekday] = fields.length === 5 ? ['0', ...fields] : fields;
  const every = [date, month, weekday].every((field) => field === '*' || field === '?');
  const at = isNumber(hour ?? '') && isNumber(minute) && isNumber(second) ? `${two(hour)}:${two(minute)}` + (second === '0' ? '' : ':' + two(second)) : null;
  if (every && hour === '*') {
    if (second === '*' && minute === '*') return t('cron.every.second');
    if (/^(\*|0)\/\d+$/.test(second) && minute === '*') return t('cron.every.n.seconds', { n: second.split('/')[1] });
    if (second === '0' && minute === '*') return t('cron.every.minute');
    if (second === '0' && /^(\*|0)\/\d+$/.test(minute)) return t('cron.every.n.minutes', { n: minute.split('/')[1] });
    if (second === '0' && isNumber(minute)) return t('cron.every.hour.at', { m: minute });
  }
  if (at && every) return t('cron.daily.at', { at });
  if (at && /^[*?]$/.test(date) && month === '*' && weekdays(weekday)) return t('cron.weekly.at', { at, days: weekdays(weekday) });
  if (at && isNumber(date) && month === '*' && /^[*?]$/.test(weekday)) return t('cron.monthly.at', { at, day: date });
  return line;
}

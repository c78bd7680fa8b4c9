// Numbers and times as text.
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Decimal units, as object stores count: 1.2 MB. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.5 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit] ?? ''}`;
}

export const formatCount = (count: number): string => count.toLocaleString('en');

/** The API writes times as `2026-11-21 09:30:08`, in UTC. Events have ISO 8601. */
export const parseTime = (text: string): Date => new Date(text.includes('T') ? text : `${text.replace(' ', 'T')}Z`);

const STEPS: readonly [seconds: number, unit: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
];

/** `3 min ago`. Days above a week become a date. */
export function formatAge(time: Date, now: Date): string {
  const seconds = Math.max(0, Math.round((now.getTime() - time.getTime()) / 1_000));
  if (seconds < 5) return 'just now';
  if (seconds >= 7 * 86_400) return time.toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });
  return `${formatDuration(seconds)} ago`;
}

/** The largest unit that fits: `45 s`, `3 min`, `2 h`. */
export function formatDuration(seconds: number): string {
  const step = STEPS.find(([length]) => seconds >= length);
  return step ? `${Math.floor(seconds / step[0])} ${step[1]}` : `${Math.round(seconds)} s`;
}

export const plural = (count: number, noun: string): string => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** `Nov 27`, for a day such as `2026-11-27`. */
export const formatDay = (day: string): string =>
  day === ''
    ? ''
    : new Date(`${day}T00:00:00Z`).toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `840 ms`, `2.4 s`, then as a duration. */
export function formatMs(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  return ms < 10_000 ? `${(ms / 1_000).toFixed(1)} s` : formatDuration(ms / 1_000);
}

/** The value of an input of type `datetime-local`, in the time of the browser. */
export function localTimeOf(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

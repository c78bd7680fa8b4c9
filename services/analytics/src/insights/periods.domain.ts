// The days and windows that endpoints are asked for, in UTC.
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const startOfDay = (time: number) => Math.floor(time / DAY_MS) * DAY_MS;

/** The last `days` calendar days, today included, oldest first, as `YYYY-MM-DD`. */
export function lastDays(days: number, now: Date): string[] {
  const today = startOfDay(now.getTime());
  return Array.from({ length: days }, (_, index) => dateOf(new Date(today - (days - 1 - index) * DAY_MS)));
}

export const dateOf = (time: Date): string => time.toISOString().slice(0, 10);

/** A window: hours, then days, then months. Each part ends where the next begins. The last part has no end. */
export interface Window {
  hours: Date;
  days: Date;
  months: Date;
}

/** The last `days` × 24 hours, from the beginning of the first hour. */
export function windowOf(days: number, now: Date): Window {
  const hours = Math.floor((now.getTime() - days * DAY_MS) / HOUR_MS) * HOUR_MS;
  const firstDay = new Date(Math.ceil(hours / DAY_MS) * DAY_MS);
  const isFirstOfMonth = firstDay.getUTCDate() === 1;
  const months = Date.UTC(firstDay.getUTCFullYear(), firstDay.getUTCMonth() + (isFirstOfMonth ? 0 : 1), 1);
  return { hours: new Date(hours), days: firstDay, months: new Date(months) };
}

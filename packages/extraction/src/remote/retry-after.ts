const SECONDS_MAX = 3_600;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * How long a provider asks to be left alone, in seconds up to an hour: `Retry-After` in seconds or as a date (RFC 9110 §10.2.3),
 * and `retry-after-ms`, which some send because seconds are too coarse. Undefined without either.
 */
export function retryAfterSeconds(headers: Headers, now: number = Date.now()): number | undefined {
  const milliseconds = Number(first(headers['retry-after-ms']) ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return bounded(milliseconds / 1_000);
  const text = first(headers['retry-after'])?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text));
  // What is lenient enough to read `-5` as a year needs to see the name of a month.
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : bounded((date - now) / 1_000);
}

function bounded(seconds: number): number {
  return Math.min(SECONDS_MAX, Math.max(0, seconds));
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

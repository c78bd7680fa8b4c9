const SECONDS_MAX = 3_600;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * How long a server asks to be left alone, in seconds up to `secondsMax`: `Retry-After` in seconds or as a date (RFC 9110 §10.2.3),
 * and `retry-after-ms`, which some send because seconds are too coarse. Undefined without either.
 */
export function retryAfterSeconds(
  headers: Headers,
  { secondsMax = SECONDS_MAX, now = Date.now() }: { secondsMax?: number; now?: number } = {},
): number | undefined {
  const seconds = askedSeconds(headers, now);
  return seconds === undefined ? undefined : Math.min(secondsMax, Math.max(0, seconds));
}

function askedSeconds(headers: Headers, now: number): number | undefined {
  const milliseconds = Number(first(headers['retry-after-ms']) ?? Number.NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds / 1_000;
  const text = first(headers['retry-after'])?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  // `Date.parse` is so lenient that it reads `-5` as a year: a date has the name of a month.
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : (date - now) / 1_000;
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

// Values as people read them.

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `1.2 MB`, in steps of 1,000. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** `1:05`, `2:00:09`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes}:${two(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`;
}

const SPANS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** `5 min ago`, `in 2 d`. Times of the API are UTC: with a `T`, or as `2026-11-27 08:23:30`. */
export function formatTime(time: string, now: Date): string {
  const seconds = Math.round((now.getTime() - Date.parse(time.includes('T') ? time : `${time}Z`)) / 1_000);
  const [span, name] = SPANS.find(([length]) => Math.abs(seconds) >= length) ?? [1, 's'];
  const count = `${Math.floor(Math.abs(seconds) / span)} ${name}`;
  return seconds >= 0 ? `${count} ago` : `in ${count}`;
}

export const formatPercent = (share: number): string => `${Math.floor(share * 100)} %`;

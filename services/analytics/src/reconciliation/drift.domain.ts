// The difference between what analytics has counted and what the owners of the rows count.

export const counters = [
  'uploading',
  'uploaded',
  'processing',
  'completed',
  'failed',
  'size_bytes',
  'jobs',
  'jobs_completed',
  'jobs_failed',
] as const;

export type Counter = (typeof counters)[number];
export type Counts = Record<Counter, number>;

const from = (value: (counter: Counter) => number): Counts =>
  Object.fromEntries(counters.map((counter) => [counter, value(counter)])) as Counts;

export const noDrift = (): Counts => from(() => 0);

export const isEqual = (one: Counts, other: Counts): boolean =>
  counters.every((counter) => one[counter] === other[counter]);

/** `sum` with the absolute differences of `ours` and `theirs`: differences of two tenants cannot cancel out. */
export const addDrift = (sum: Counts, ours: Counts, theirs: Counts): Counts =>
  from((counter) => sum[counter] + Math.abs(ours[counter] - theirs[counter]));

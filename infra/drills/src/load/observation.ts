/** The result of one request, as its caller sees it. */
export const kinds = ['upload', 'read', 'search'] as const;
export type Kind = (typeof kinds)[number];

export interface Observation {
  readonly kind: Kind;
  /** By `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Status and code, such as `503 UNAVAILABLE`, or the reason why there was no answer. */
  readonly outcome: string;
  readonly isServed: boolean;
}

export interface Seen {
  readonly requests: number;
  readonly failed: number;
  /** Outcomes of failed requests with their counts, the most frequent one first. */
  readonly failures: readonly (readonly [outcome: string, count: number])[];
  /** The longest time between two served requests of a kind that touches the period. */
  readonly longestGapMs: Readonly<Record<Kind, number>>;
  /** The slowest answer, whatever it was. */
  readonly slowestMs: number;
}

/** What callers have seen from `from` until `until`. */
export function seenBetween(observations: readonly Observation[], from: number, until: number): Seen {
  const during = observations.filter(({ startedAt, endedAt }) => endedAt >= from && startedAt <= until);
  const failed = during.filter(({ isServed }) => !isServed);
  const counts = new Map<string, number>();
  for (const { outcome } of failed) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const gapOf = (kind: Kind) => longestGap(observations, kind, from, until);
  return {
    requests: during.length,
    failed: failed.length,
    failures: [...counts].toSorted(([, a], [, b]) => b - a),
    longestGapMs: { upload: gapOf('upload'), read: gapOf('read'), search: gapOf('search') },
    slowestMs: Math.max(0, ...during.map(({ startedAt, endedAt }) => endedAt - startedAt)),
  };
}

function longestGap(observations: readonly Observation[], kind: Kind, from: number, until: number): number {
  const served = observations
    .filter((observation) => observation.kind === kind && observation.isServed)
    .map(({ endedAt }) => endedAt)
    .toSorted((a, b) => a - b);
  const gaps = served.map((at, index) => ({ at, after: served[index - 1] ?? at }));
  return Math.max(
    0,
    ...gaps.filter(({ at, after }) => at >= from && after <= until).map(({ at, after }) => at - after),
  );
}

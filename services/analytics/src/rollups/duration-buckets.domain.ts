// Buckets of durations that grow by a constant factor, so that each value is known to within a constant relative error. Counts of buckets can
// be added up over any periods (Masson, Rim, Lee: DDSketch, VLDB 2019, https://arxiv.org/abs/1908.10693, section 2). They are rows, so
// that one statement can add the durations of many tenants.

/** The greatest relative error of a value that is read from its bucket. */
const RELATIVE_ERROR = 0.018;
const GROWTH = (1 + RELATIVE_ERROR) / (1 - RELATIVE_ERROR);

/** SQL: the bucket of a duration in milliseconds. Bucket n has the durations from GROWTH ** (n - 1), exclusive, to GROWTH ** n. */
export const bucketOf = (duration: string) => `ceil(ln(greatest(${duration}, 1)) / ${Math.log(GROWTH)})::smallint`;

/** A duration in milliseconds that differs from every one in the bucket by at most the relative error. */
export const durationOf = (bucket: number) => (2 * GROWTH ** bucket) / (1 + GROWTH);

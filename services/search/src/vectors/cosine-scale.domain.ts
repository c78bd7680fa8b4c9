// What a cosine means depends on the model: unrelated texts have cosines of 0.1 by one model, and of 0.75 by another. A scale has the cosines of
// a query with a sample of the tenant's chunks, most of which are unrelated to it. How many standard deviations a cosine lies above them says
// how surprising it is, and is comparable between models. Vectors of few numbers do not separate many chunks: their cosines spread widely,
// and even the best ones surprise little.

/** The cosines of unrelated texts. */
export interface CosineScale {
  readonly center: number;
  readonly spread: number;
}

/** The median absolute deviation of a normal distribution times this is its standard deviation. */
const DEVIATIONS_PER_MEDIAN = 1.4826;
/** The spread that is assumed before any cosine is known, as a share of the distance from the center to 1. */
const SPREAD_PRIOR = 0.1;
/** The assumption counts as this many cosines. */
const PRIOR_COUNT = 8;

/** Medians do not move much when some chunks of the sample are related to the query. */
export function scaleOf(cosines: readonly number[]): CosineScale {
  const center = medianOf(cosines);
  const spread = DEVIATIONS_PER_MEDIAN * medianOf(cosines.map((cosine) => Math.abs(cosine - center)));
  const prior = SPREAD_PRIOR * (1 - Math.min(center, 0.99));
  const squares = PRIOR_COUNT * prior ** 2 + cosines.length * spread ** 2;
  return { center, spread: Math.sqrt(squares / (PRIOR_COUNT + cosines.length)) };
}

/** How many standard deviations the cosine lies above those of unrelated texts. */
export const deviationOf = ({ center, spread }: CosineScale, cosine: number): number => (cosine - center) / spread;

/** 0 without numbers. Of an even count, the lower of the two in the middle. */
function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((left, right) => left - right)[(numbers.length - 1) >> 1] ?? 0;
}

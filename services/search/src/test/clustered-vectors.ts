// Vectors like those of texts: in clusters of different sizes, since texts have subjects, and with a common direction, as models give all texts.
import { randomNumbers } from '@kiln/testing/seed';

export interface ClusteredVectorsOptions {
  vectors: number;
  /** The number of queries. Each is near one of the vectors. */
  queries: number;
  dimensions: number;
  seed: number;
}

const VECTORS_PER_CLUSTER = 50;
const RESOLUTION = 2 ** 31;
const COMMON = 0.5;
const SPREAD = 0.8;
const QUERY_SPREAD = 0.5;

export function clusteredVectors({ vectors: count, queries, dimensions, seed }: ClusteredVectorsOptions) {
  const below = randomNumbers(seed);
  const random = () => below(RESOLUTION) / RESOLUTION;
  /** Normally distributed numbers, by the method of Box and Muller. */
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const direction = () => unit(Array.from({ length: dimensions }, normal));
  const near = (centre: readonly number[], spread: number) => {
    const away = direction();
    return unit(centre.map((value, at) => value + spread * (away[at] ?? 0)));
  };
  const common = direction().map((value) => value * COMMON);
  const centres = Array.from({ length: Math.ceil(count / VECTORS_PER_CLUSTER) }, () => {
    const own = direction();
    return unit(common.map((value, at) => value + (own[at] ?? 0)));
  });
  const one = <Value>(values: readonly Value[], share: number) => values[Math.floor(share * values.length)] as Value;
  const vectors = Array.from({ length: count }, () => near(one(centres, random() ** 2), SPREAD));
  return { vectors, queries: Array.from({ length: queries }, () => near(one(vectors, random()), QUERY_SPREAD)) };
}

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

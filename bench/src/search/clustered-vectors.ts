// Vectors like those of texts: in clusters of different sizes, since texts have subjects, and with a common direction, as models give all texts.
// Nothing in them favours a coordinate.
import { randomNumbers } from './generated-files.js';

const VECTORS_PER_CLUSTER = 50;
const COMMON = 0.5;
const SPREAD = 0.8;
const QUERY_SPREAD = 0.5;

export interface ClusteredVectors {
  /** The vectors one after the other, each of length 1. */
  vectors: Float32Array;
  queries: Float32Array[];
}

export function clusteredVectors(
  count: number,
  queryCount: number,
  dimensions: number,
  seed: number,
): ClusteredVectors {
  const random = randomNumbers(seed);
  /** Normally distributed: the method of Box and Muller. */
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const direction = () => unit(Float32Array.from({ length: dimensions }, normal));
  const near = (centre: Float32Array, spread: number) => {
    const away = direction();
    return unit(centre.map((value, at) => value + spread * (away[at] ?? 0)));
  };
  const common = direction().map((value) => value * COMMON);
  const centres = Array.from({ length: count / VECTORS_PER_CLUSTER }, () => near(common, 1));
  const one = (share: number) => centres[Math.floor(share * centres.length)] ?? common;
  const vectors = new Float32Array(count * dimensions);
  for (let at = 0; at < count; at++) vectors.set(near(one(random() ** 2), SPREAD), at * dimensions);
  const vectorAt = (at: number) => vectors.slice(at * dimensions, (at + 1) * dimensions);
  const queries = Array.from({ length: queryCount }, () => near(vectorAt(Math.floor(random() * count)), QUERY_SPREAD));
  return { vectors, queries };
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

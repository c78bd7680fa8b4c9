// A sample of each searched set: vectors of files that are spread evenly over the changes of the tenant's vectors. Times would not do: after an
// import of a million files and a quiet month, most points in time would lead to the same file.
import { Database } from '@kiln/platform';
import QuickLRU from 'quick-lru';
import { numberArray } from '../array-literal.rows.js';
import { scaleOf, type CosineScale } from './cosine-scale.domain.js';
import { codedBytes, dotProductWithCode } from './vector-codes.domain.js';
import { readEnds, readSample, readSmallSet } from './vector-sample.statements.js';
import type { VectorSet } from './vector-index.port.js';

/** Vectors of a sample. Their median cosine differs from that of the whole set by a tenth of the spread. */
const VECTORS_MAX = 128;
/** With vectors of 1,536 numbers, the samples of a process take 40 MB at most. */
const SAMPLES_MAX = 200;
/** Neighbouring chunks of a file are similar, so samples of one file take every seventh. */
const STRIDE = 7;

interface Sample {
  codes: readonly Buffer[];
  /** What the set was when the sample was read. */
  generation: number;
  size: number;
}

export class VectorSampleStore {
  private readonly samples = new QuickLRU<string, Sample>({ maxSize: SAMPLES_MAX });

  constructor(private readonly database: Database) {}

  /** The cosines of the set's chunks with the vector, which has length 1. */
  async scaleFor(set: VectorSet, vector: Float32Array): Promise<CosineScale> {
    const { codes } = await this.sampleOf(set);
    return scaleOf(codes.map((code) => dotProductWithCode(vector, code)));
  }

  private async sampleOf(set: VectorSet): Promise<Sample> {
    const key = JSON.stringify([set.tenantId, set.model, set.dimensions]);
    const known = this.samples.get(key);
    if (known && isCurrent(known, set)) return known;
    const sample = { codes: await this.read(set), generation: set.generation, size: set.vectors };
    this.samples.set(key, sample);
    return sample;
  }

  /** All vectors of a small set, so that none counts twice. */
  private async read(set: VectorSet): Promise<Buffer[]> {
    const bytes = codedBytes(set.dimensions);
    if (set.vectors > VECTORS_MAX) return this.readSpread(set, bytes);
    const of = [set.tenantId, set.model, set.dimensions];
    const rows = await this.database.query<{ codes: Buffer }>(readSmallSet, [...of, VECTORS_MAX]);
    return rows.flatMap(({ codes }) =>
      Array.from({ length: codes.length / bytes }, (_, at) => codes.subarray(at * bytes, (at + 1) * bytes)),
    );
  }

  private async readSpread({ tenantId, model, dimensions }: VectorSet, bytes: number): Promise<Buffer[]> {
    const of = [tenantId, model, dimensions];
    const [ends] = await this.database.query<{ first: number | null; last: number | null }>(readEnds, of);
    if (typeof ends?.first !== 'number' || typeof ends.last !== 'number') return [];
    const points = evenly(ends.first, ends.last);
    const chosen = points.map((_, position) => position * STRIDE);
    const rows = await this.database.query<{ code: Buffer }>(readSample, [
      ...of,
      bytes,
      numberArray(points),
      numberArray(chosen),
    ]);
    return rows.map(({ code }) => code);
  }
}

/** A sample of a small set has most of its vectors, so each change matters. */
const isCurrent = ({ generation, size }: Sample, set: VectorSet) =>
  generation === set.generation || (size > VECTORS_MAX && set.vectors < 2 * size && set.vectors > size / 2);

const evenly = (first: number, last: number): number[] =>
  Array.from({ length: VECTORS_MAX }, (_, at) => first + Math.floor(((last - first) * at) / VECTORS_MAX));

// A sample of each searched set: vectors of files that are spread evenly over the ids, which are ordered by time.
import { Database } from '@kiln/platform';
import QuickLRU from 'quick-lru';
import { numberArray, textArray } from '../array-literal.rows.js';
import { scaleOf, type CosineScale } from './cosine-scale.domain.js';
import { codedBytes, dotProductWithCode } from './vector-codes.domain.js';
import { readEnds, readSample } from './vector-sample.statements.js';
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

  private async read({ tenantId, model, dimensions }: VectorSet): Promise<Buffer[]> {
    const of = [tenantId, model, dimensions];
    const [ends] = await this.database.query<{ first: string | null; last: string | null }>(readEnds, of);
    if (!ends?.first || !ends.last) return [];
    const points = evenly(idNumber(ends.first), idNumber(ends.last)).map(idOf);
    const chosen = points.map((_, position) => position * STRIDE);
    const bytes = codedBytes(dimensions);
    const rows = await this.database.query<{ code: Buffer }>(readSample, [
      ...of,
      bytes,
      textArray(points),
      numberArray(chosen),
    ]);
    return rows.map(({ code }) => code);
  }
}

/** A sample of a small set has most of its vectors, so each change matters. */
const isCurrent = ({ generation, size }: Sample, set: VectorSet) =>
  generation === set.generation || (size > VECTORS_MAX && set.vectors < 2 * size && set.vectors > size / 2);

const evenly = (first: bigint, last: bigint): bigint[] =>
  Array.from({ length: VECTORS_MAX }, (_, at) => first + ((last - first) * BigInt(at)) / BigInt(VECTORS_MAX));

const idNumber = (id: string) => BigInt(`0x${id.replaceAll('-', '')}`);

const idOf = (number: bigint) =>
  number
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

// A sample of each searched set: vectors of files that are spread evenly over the changes of the tenant's vectors. Times would not do: after an
// import of a million files and a quiet month, most points in time would lead to the same file.
import { Database, statement } from '@kiln/platform';
import QuickLRU from 'quick-lru';
import { numberArray } from '../array-literal.rows.js';
import { scaleOf, type CosineScale } from './cosine-scale.domain.js';
import { codedBytes, dotProductWithCode } from './vector-codes.domain.js';
import type { VectorSet } from './vector-index.port.js';

/** All coded vectors of a small set, those of a row one after the other. $1 tenant, $2 model, $3 dimensions, $4 the most rows. */
const readSmallSet = statement(
  'search.read_small_vector_set',
  `select p.codes from vector_files f join vector_parts p on p.tenant_id = f.tenant_id and p.file_id = f.file_id
    where f.tenant_id = $1 and f.model = $2 and f.dimensions = $3 and f.vectors > 0 and f.removed_at is null
    order by f.file_id, p.first_index limit $4`,
);

/** The first and the last change of the set's files. $1 tenant, $2 model, $3 dimensions. */
const readEnds = statement(
  'search.read_vector_ends',
  `select min(f.generation) as first, max(f.generation) as last from vector_files f
    where f.tenant_id = $1 and f.model = $2 and f.dimensions = $3`,
);

/**
 * One coded vector of the first file at or after each change, each vector once. $1 tenant, $2 model, $3 dimensions, $4 bytes of a coded vector.
 * Arrays with one element per change: $5 the change, $6 which of the file's vectors, counted beyond its last one again from the first.
 */
const readSample = statement(
  'search.read_vector_sample',
  `select distinct on (f.file_id, p.place) substring(p.codes from (p.place * $4::int4 + 1) for $4::int4) as code
     from unnest($5::int8[], $6::int4[]) as t(generation, chosen)
    cross join lateral (
      select f.file_id from vector_files f
       where f.tenant_id = $1 and f.model = $2 and f.dimensions = $3 and f.generation >= t.generation and f.vectors > 0 and f.removed_at is null
       order by f.generation, f.file_id limit 1) f
    cross join lateral (
      select v.codes, t.chosen % (octet_length(v.codes) / $4::int4) as place from vector_parts v
       where v.tenant_id = $1 and v.file_id = f.file_id
       order by v.first_index limit 1) p`,
);

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

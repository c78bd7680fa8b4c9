// Finds the chunks nearest to a text. The text is embedded by each model of which the tenant has vectors. An index returns candidates, and
// the exact vectors in PostgreSQL decide their order.
import { badRequest, type CallContext, type NotServed } from '@kiln/contracts';
import { Database, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { numberArray, textArray } from '../array-literal.rows.js';
import { QueryEmbedder } from '../providers/query-embedder.service.js';
import { deviationOf } from './cosine-scale.domain.js';
import { dotProduct, readVector, unitVector, vectorBytes } from './vector-codes.domain.js';
import {
  VECTOR_INDEX,
  type VectorHit,
  type VectorIndex,
  type VectorQuery,
  type VectorSet,
} from './vector-index.port.js';
import { searchNamed } from './named-vectors.store.js';
import { VectorSampleStore } from './vector-sample.store.js';
import { readSets, readVectors } from './vector-search.statements.js';

export interface NearestQuery extends Pick<VectorQuery, 'facets' | 'limit' | 'of'> {
  text: string;
  /**
   * Exact scores need the stored vectors. The index's scores differ from them by less than 0.002, which does not matter to callers that use
   * ranks only.
   */
  scores: 'exact' | 'approximate';
  /** The only files that are found. Undefined: all. */
  fileIds?: readonly string[] | undefined;
}

/** A chunk, and how far its cosine lies above those of chunks that are unrelated to the query. */
export interface NearChunk extends VectorHit {
  /** In standard deviations. Comparable between models. */
  readonly deviation: number;
}

export interface NearChunks {
  /** The best first. */
  readonly hits: NearChunk[];
  /** How many files pass the filter. */
  readonly files: number;
  /** The models whose vectors were not searched. */
  readonly notSearched: readonly NotSearched[];
}

export interface NotSearched {
  readonly model: string;
  readonly reason: Extract<NotServed['reason'], 'failed' | 'too_many_models'>;
}

/** Each model embeds the query. With more models than this, only the largest sets are searched. */
const SETS_MAX = 8;
/** So many sets of a tenant are known. */
const SETS_READ_MAX = 100;
/** The number of candidates whose exact cosine is computed. */
const candidatesOf = (limit: number) => limit + Math.max(10, Math.ceil(limit / 4));
/** A file can be replaced between two statements. */
const TRIES = 3;

@Injectable()
export class VectorSearch {
  private readonly samples: VectorSampleStore;

  constructor(
    private readonly database: Database,
    @Inject(VECTOR_INDEX) private readonly index: VectorIndex,
    @Inject(QueryEmbedder) private readonly embedder: Pick<QueryEmbedder, 'embed' | 'isAvailable'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {
    this.samples = new VectorSampleStore(database);
  }

  /** Whether a server embeds queries for the caller. Throws UNAVAILABLE when the jobs service cannot tell. */
  isAvailable(context: CallContext): Promise<boolean> {
    return this.embedder.isAvailable(context);
  }

  /** Whether the tenant also has vectors. */
  async canFind(context: CallContext): Promise<boolean> {
    return (await this.isAvailable(context)) && (await this.setsOf(context.tenantId)).length > 0;
  }

  /**
   * Returns the nearest files or chunks, and how many files pass the filter. `score` is the cosine. Results of several models are merged by
   * their deviations. Throws UNAVAILABLE or BAD_REQUEST when no model can be asked.
   */
  async nearest(query: NearestQuery, context: CallContext): Promise<NearChunks> {
    const sets = await this.setsOf(context.tenantId);
    const [searched, others] = [sets.slice(0, SETS_MAX), sets.slice(SETS_MAX)];
    const answers = await Promise.allSettled(searched.map((set) => this.nearestIn(set, query, context)));
    const found = answers.filter((answer) => answer.status === 'fulfilled').map(({ value }) => value);
    const notSearched = others.map(({ model }): NotSearched => ({ model, reason: 'too_many_models' }));
    for (const [position, answer] of answers.entries()) {
      if (answer.status === 'fulfilled') continue;
      if (found.length === 0) throw answer.reason;
      this.logger.warn({ err: answer.reason as unknown, tenantId: context.tenantId }, 'A model was not searched');
      notSearched.push({ model: searched[position]?.model ?? '', reason: 'failed' });
    }
    const hits = found.flatMap((answer) => answer.hits);
    if (found.length > 1) hits.sort((left, right) => right.deviation - left.deviation);
    return { hits: hits.slice(0, query.limit), files: found.reduce((sum, { files }) => sum + files, 0), notSearched };
  }

  /** The tenant's vectors, by model: the largest sets first. */
  setsOf(tenantId: string): Promise<VectorSet[]> {
    return this.database.query<VectorSet>(readSets, [tenantId, SETS_READ_MAX]);
  }

  private async nearestIn(
    set: VectorSet,
    query: NearestQuery,
    context: CallContext,
  ): Promise<Omit<NearChunks, 'notSearched'>> {
    const vector = unitVector(await this.embedder.embed(query.text, set.model, context));
    if (vector.length !== set.dimensions) {
      throw badRequest(
        `mode: the model "${set.model}" now makes vectors of ${vector.length} numbers, but your files have vectors of ${set.dimensions}. Process the files again, or use mode text.`,
      );
    }
    const { facets, limit, of, scores, fileIds } = query;
    const scale = await this.samples.scaleFor(set, vector);
    let current = set;
    for (let tries = 1; ; tries++) {
      const wanted = { vector, facets, limit: scores === 'exact' ? candidatesOf(limit) : limit, of };
      const named = fileIds && (await searchNamed(this.database, current, wanted, fileIds));
      const { hits, files } = named ?? (await this.index.search(current, wanted));
      const { ranked, isStale } = await this.rankCurrent(current, hits, scores === 'exact' ? vector : null);
      if (!isStale || tries >= TRIES) {
        const hits = ranked.slice(0, limit).map((hit) => ({ ...hit, deviation: deviationOf(scale, hit.score) }));
        return { hits, files };
      }
      current = (await this.setsOf(set.tenantId)).find((other) => isSame(other, set)) ?? current;
    }
  }

  /** With a query, ranks by exact cosines. `isStale` means that some files were deleted or replaced since the index was read. */
  private async rankCurrent(
    { tenantId, dimensions }: VectorSet,
    hits: readonly VectorHit[],
    query: Float32Array | null,
  ): Promise<{ ranked: VectorHit[]; isStale: boolean }> {
    if (hits.length === 0) return { ranked: [], isStale: false };
    const values = [
      tenantId,
      textArray(hits.map(({ fileId }) => fileId)),
      numberArray(hits.map(({ jobNumber }) => jobNumber)),
      numberArray(hits.map(({ fence }) => fence)),
      numberArray(hits.map(({ index }) => index)),
      query === null ? 0 : vectorBytes(dimensions),
    ];
    const rows = await this.database.query<{ vector: Buffer | null }>(readVectors, values);
    const ranked: VectorHit[] = [];
    for (const [position, hit] of hits.entries()) {
      const stored = rows[position]?.vector ?? null;
      if (stored === null) continue;
      ranked.push(query === null ? hit : { ...hit, score: dotProduct(query, readVector(stored)) });
    }
    if (query !== null) ranked.sort((left, right) => right.score - left.score);
    return { ranked, isStale: ranked.length < hits.length };
  }
}

const isSame = (left: VectorSet, right: VectorSet) =>
  left.model === right.model && left.dimensions === right.dimensions;

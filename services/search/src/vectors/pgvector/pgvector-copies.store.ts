// The copies of vectors in tables of pgvector. Each change is one transaction of the copy's writer, which it loses with its lease.
import type { Database, Queryable } from '@kiln/platform';
import { SCALE_BYTES, codedBytes } from '../vector-codes.domain.js';
import type { Changes, FileChange } from '../vector-feed.store.js';
import type { VectorSet } from '../vector-index.port.js';
import {
  createGraph,
  createShared,
  dropOwnTable,
  moveToOwnTable,
  writesOf,
  type Place,
} from './copied-vectors.statements.js';
import * as sql from './vector-copies.statements.js';

export interface Copy {
  readonly number: number;
  /** The copy has all changes up to this one. */
  readonly generation: number;
  /** Whether the set has its own table. */
  readonly isLarge: boolean;
  /** Whether this table has a graph. */
  readonly isIndexed: boolean;
}

/** What the copies of all tenants lack. */
export interface Lag {
  /** How many copies lack changes. */
  readonly copies: number;
  /** How many changes one of them lacks at most. */
  readonly changes: number;
  /** The tenants of some of these copies. */
  readonly tenantIds: readonly string[];
}

/** Another process has become the writer of the copy. */
export class CopyLostError extends Error {}

type CopyDatabase = Pick<Database, 'query' | 'transaction' | 'dedicatedClient'>;
type SetKey = Pick<VectorSet, 'tenantId' | 'model' | 'dimensions'>;

const LEASE_SECONDS = 60;
/** A graph of millions of vectors is made in less. */
const GRAPH_TIMEOUT = '6h';

const keyOf = ({ tenantId, model, dimensions }: SetKey) => [tenantId, model, dimensions];

export const placeOf = ({ dimensions }: SetKey, { isLarge, number }: Copy): Place => ({
  dimensions,
  number: isLarge ? number : null,
});

export class PgVectorCopies {
  private readonly created = new Map<number | null, Promise<void>>();
  private readonly building = new Set<{ end(): Promise<void> }>();

  constructor(private readonly database: CopyDatabase) {}

  /** Null when the set has no copy. */
  async find(set: VectorSet, database: Queryable = this.database): Promise<Copy | null> {
    await this.create(set.dimensions);
    const [copy] = await database.query<Copy>(sql.readCopy, keyOf(set));
    return copy ?? null;
  }

  /** Makes `writer` the writer of the copy. Returns null while another process is. */
  async claim(set: SetKey, writer: string): Promise<Copy | null> {
    await this.create(set.dimensions);
    await this.database.query(sql.insertCopy, keyOf(set));
    const values = [...keyOf(set), writer, LEASE_SECONDS];
    const [copy] = await this.database.query<Copy>(sql.claimCopy, values);
    return copy ?? null;
  }

  async release(set: SetKey, writer: string): Promise<void> {
    await this.database.query(sql.releaseCopy, [...keyOf(set), writer]);
  }

  /** Throws CopyLostError. */
  apply(set: SetKey, copy: Copy, writer: string, { isReset, files, generation }: Changes): Promise<void> {
    const { tenantId, model, dimensions } = set;
    const { deleteAll, deleteFiles, insertVectors } = writesOf(placeOf(set, copy));
    return this.asWriter(set, writer, async (transaction) => {
      if (isReset) await transaction.query(deleteAll, [tenantId, model]);
      await transaction.query(deleteFiles, [tenantId, model, files.map(({ fileId }) => fileId)]);
      for (const file of files) {
        for (const values of rowsOf(file, dimensions)) {
          await transaction.query(insertVectors, [tenantId, model, ...values]);
        }
      }
      await transaction.query(sql.writeGeneration, [...keyOf(set), generation]);
    });
  }

  /** Moves the set to its own table, still without a graph. Throws CopyLostError. */
  enlarge(set: SetKey, { number }: Copy, writer: string): Promise<Copy> {
    const { create, copy, remove, indexFacets } = moveToOwnTable(set.dimensions, number);
    return this.asWriter(set, writer, async (transaction) => {
      await transaction.query(create);
      await transaction.query(copy, [set.tenantId, set.model]);
      await transaction.query(remove, [set.tenantId, set.model]);
      await transaction.query(indexFacets);
      const [enlarged] = await transaction.query<Copy>(sql.writePlace, [...keyOf(set), false]);
      return enlarged as Copy;
    });
  }

  /**
   * Makes the graph of a large set, which can take minutes. It locks the row of the copy, so no other process claims it, and needs a connection
   * without the time limits of the pool. Throws CopyLostError.
   */
  async index(set: SetKey, { number }: Copy, writer: string): Promise<void> {
    const client = await this.database.dedicatedClient();
    this.building.add(client);
    try {
      await client.query(`begin; set local statement_timeout = '${GRAPH_TIMEOUT}'`);
      const { rows } = await client.query(sql.renewCopy.text, [...keyOf(set), writer, LEASE_SECONDS]);
      if (rows.length === 0) throw new CopyLostError();
      await client.query(createGraph(set.dimensions, number).text);
      await client.query(sql.writePlace.text, [...keyOf(set), true]);
      await client.query('commit');
    } finally {
      this.building.delete(client);
      await client.end();
    }
  }

  /** Removes a copy without vectors. Throws CopyLostError. */
  remove(set: SetKey, copy: Copy, writer: string): Promise<void> {
    return this.asWriter(set, writer, async (transaction) => {
      if (copy.isLarge) await transaction.query(dropOwnTable(copy.number));
      else await transaction.query(writesOf(placeOf(set, copy)).deleteAll, [set.tenantId, set.model]);
      await transaction.query(sql.deleteCopy, keyOf(set));
    });
  }

  /** The tenant's sets that have no vectors left, but a copy. */
  async emptyOf(tenantId: string): Promise<VectorSet[]> {
    await this.create(null);
    return this.database.query<VectorSet>(sql.readEmptyCopies, [tenantId]);
  }

  async lag(tenantsMax: number): Promise<Lag> {
    await this.create(null);
    const [lag] = await this.database.query<Lag>(sql.readLag, [tenantsMax]);
    return lag as Lag;
  }

  /** Ends the graphs that are being made. PostgreSQL rolls them back. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.building].map((client) => client.end()));
  }

  private asWriter<Result>(
    set: SetKey,
    writer: string,
    work: (transaction: Queryable) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(async (transaction) => {
      const renewed = await transaction.query(sql.renewCopy, [...keyOf(set), writer, LEASE_SECONDS]);
      if (renewed.length === 0) throw new CopyLostError();
      return work(transaction);
    });
  }

  /** Creates the tables that are missing: that of the copies, and that of vectors of this length. */
  private create(dimensions: number | null): Promise<void> {
    let created = this.created.get(dimensions);
    if (created) return created;
    created = this.database.transaction(async (transaction) => {
      await transaction.query(sql.lockTables);
      await transaction.query(sql.createCopies);
      if (dimensions !== null) await transaction.query(createShared(dimensions));
    });
    this.created.set(dimensions, created);
    created.catch(() => this.created.delete(dimensions));
    return created;
  }
}

function* rowsOf({ fileId, jobNumber, fence, facets, parts }: FileChange, dimensions: number): Generator<unknown[]> {
  for (const { firstIndex, codes } of parts) {
    const vectors: string[] = [];
    for (let at = 0; at < codes.length; at += codedBytes(dimensions)) vectors.push(vectorText(codes, at, dimensions));
    yield [fileId, jobNumber, fence, facets, firstIndex, vectors];
  }
}

/** The coded vector is precise enough, because exact vectors decide the order of the results. The scale does not change a cosine. */
function vectorText(codes: Buffer, at: number, dimensions: number): string {
  const numbers = new Int8Array(codes.buffer, codes.byteOffset + at + SCALE_BYTES, dimensions);
  return `[${numbers.join(',')}]`;
}

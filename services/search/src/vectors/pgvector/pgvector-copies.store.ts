// The copies of vectors in tables of pgvector. Each change is one transaction of the copy's writer, which it loses with its lease.
import type { Database, Queryable, Statement } from '@kiln/platform';
import { SCALE_BYTES, codedBytes } from '../vector-codes.domain.js';
import type { Changes, FileChange } from '../changes.domain.js';
import type { VectorSet } from '../vector-index.port.js';
import { CopyLeases, keyOf } from '../copies/copy-leases.store.js';
import type { Copy, Lag, SetKey, VectorCopies } from '../copies/vector-copies.port.js';
import {
  createGraph,
  createShared,
  DIMENSIONS_MAX,
  dropOwnTable,
  moveToOwnTable,
  writesOf,
  type Place,
} from './copied-vectors.statements.js';
import * as sql from './vector-copies.statements.js';

export interface PgVectorCopy extends Copy {
  /** Whether the set has its own table. */
  readonly isLarge: boolean;
  /** Whether this table has a graph. */
  readonly isIndexed: boolean;
}

type CopyDatabase = Pick<Database, 'query' | 'transaction' | 'dedicatedClient'>;

/** A graph of millions of vectors is made in less. */
const GRAPH_TIMEOUT = '6h';

export const placeOf = ({ dimensions }: SetKey, { isLarge, number }: PgVectorCopy): Place => ({
  dimensions,
  number: isLarge ? number : null,
});

export class PgVectorCopies implements VectorCopies<PgVectorCopy> {
  readonly dimensionsMax = DIMENSIONS_MAX;
  private readonly leases: CopyLeases<PgVectorCopy>;
  private readonly created = new Map<number | null, Promise<void>>();
  private readonly building = new Set<{ end(): Promise<void> }>();

  /** A set with more than `smallMax` vectors has its own table and graph. */
  constructor(
    private readonly database: CopyDatabase,
    private readonly smallMax: number,
  ) {
    this.leases = new CopyLeases(database, sql.pgVectorRows);
  }

  async find(set: SetKey, database?: Queryable): Promise<PgVectorCopy | null> {
    await this.create(set.dimensions);
    return this.leases.find(set, database);
  }

  async claim(set: SetKey, writer: string): Promise<PgVectorCopy | null> {
    await this.create(set.dimensions);
    await this.database.query(sql.insertCopy, keyOf(set));
    return this.leases.claim(set, writer);
  }

  release(set: SetKey, writer: string): Promise<void> {
    return this.leases.release(set, writer);
  }

  async prepare(set: VectorSet, copy: PgVectorCopy, writer: string): Promise<PgVectorCopy> {
    return set.vectors > this.smallMax && !copy.isLarge ? this.enlarge(set, copy, writer) : copy;
  }

  async complete(set: SetKey, copy: PgVectorCopy, writer: string): Promise<void> {
    if (copy.isLarge && !copy.isIndexed) await this.index(set, copy, writer);
  }

  apply(
    set: SetKey,
    copy: PgVectorCopy,
    writer: string,
    { isReset, files, generation }: Changes,
  ): Promise<PgVectorCopy> {
    const { tenantId, model, dimensions } = set;
    const { deleteAll, deleteFiles, insertVectors } = writesOf(placeOf(set, copy));
    return this.leases.asWriter(set, writer, async (transaction) => {
      if (isReset) await transaction.query(deleteAll, [tenantId, model]);
      await transaction.query(deleteFiles, [tenantId, model, files.map(({ fileId }) => fileId)]);
      for (const file of files) {
        for (const values of rowsOf(file, dimensions)) {
          await transaction.query(insertVectors, [tenantId, model, ...values]);
        }
      }
      await this.leases.writeGeneration(transaction, set, generation);
      return copy;
    });
  }

  /** Moves the set to its own table, still without a graph. Throws CopyLostError. */
  enlarge(set: SetKey, { number }: Copy, writer: string): Promise<PgVectorCopy> {
    const { create, copy, remove, indexFacets } = moveToOwnTable(set.dimensions, number);
    return this.leases.asWriter(set, writer, async (transaction) => {
      await transaction.query(create);
      await transaction.query(copy, [set.tenantId, set.model]);
      await transaction.query(remove, [set.tenantId, set.model]);
      await transaction.query(indexFacets);
      const [enlarged] = await transaction.query<PgVectorCopy>(sql.writePlace, [...keyOf(set), false]);
      return enlarged as PgVectorCopy;
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
      await this.leases.renew(queryable(client), set, writer);
      await client.query(createGraph(set.dimensions, number).text);
      await client.query(sql.writePlace.text, [...keyOf(set), true]);
      await client.query('commit');
    } finally {
      this.building.delete(client);
      await client.end();
    }
  }

  remove(set: SetKey, copy: PgVectorCopy, writer: string): Promise<void> {
    return this.leases.asWriter(set, writer, async (transaction) => {
      if (copy.isLarge) await transaction.query(dropOwnTable(copy.number));
      else await transaction.query(writesOf(placeOf(set, copy)).deleteAll, [set.tenantId, set.model]);
      await this.leases.remove(transaction, set);
    });
  }

  async emptyOf(tenantId: string): Promise<VectorSet[]> {
    await this.create(null);
    return this.leases.emptyOf(tenantId);
  }

  async lag(tenantsMax: number): Promise<Lag> {
    await this.create(null);
    return this.leases.lag(tenantsMax, DIMENSIONS_MAX);
  }

  /** Ends the graphs that are being made. PostgreSQL rolls them back. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.building].map((client) => client.end()));
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

const queryable = (client: Awaited<ReturnType<CopyDatabase['dedicatedClient']>>): Queryable => ({
  query: async <Row>({ text }: Statement, values?: unknown[]) => (await client.query(text, values)).rows as Row[],
});

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

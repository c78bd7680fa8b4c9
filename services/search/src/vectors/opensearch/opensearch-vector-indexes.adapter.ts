// The indexes of vectors in OpenSearch, one for each length of vectors.
import type { Database, Transaction } from '@kiln/platform';
import type { OpenSearchConnection } from '../../opensearch/opensearch-connection.adapter.js';
import { VersionedIndex } from '../../opensearch/versioned-index.adapter.js';
import { deleteLostCopies, lockIndex } from './copy.statements.js';
import { vectorIndexDefinition } from './vector-index-definition.domain.js';

export interface OpenSearchVectorIndexesParts {
  connection: OpenSearchConnection;
  database: Pick<Database, 'transaction'>;
  /** The name of an index is this and the length of its vectors. */
  prefix: string;
  shards: number;
  replicas: number;
  /** See VersionedIndex. */
  refresh?: true;
}

export class OpenSearchVectorIndexes {
  private readonly indexes = new Map<number, VersionedIndex>();

  constructor(private readonly parts: OpenSearchVectorIndexesParts) {}

  get prefix(): string {
    return this.parts.prefix;
  }

  nameOf(dimensions: number): string {
    return `${this.prefix}${dimensions}`;
  }

  of(dimensions: number): VersionedIndex {
    let index = this.indexes.get(dimensions);
    if (!index) this.indexes.set(dimensions, (index = this.open(dimensions)));
    return index;
  }

  private open(dimensions: number): VersionedIndex {
    const { database, shards, replicas } = this.parts;
    const name = this.nameOf(dimensions);
    return new VersionedIndex({
      ...this.parts,
      name,
      definition: vectorIndexDefinition(dimensions, shards, replicas),
      // A new index has no copies. PostgreSQL must not know any before it exists, or searches would find nothing. So their deletion is committed
      // first: nothing rolls back the creation.
      whenMissing: async (index) => {
        const unlessCreated = (work: (transaction: Transaction) => Promise<unknown>) =>
          database.transaction(async (transaction) => {
            await transaction.query(lockIndex, [name]);
            if (!(await index.exists())) await work(transaction);
          });
        await unlessCreated((transaction) => transaction.query(deleteLostCopies, [name]));
        await unlessCreated(() => index.create());
      },
    });
  }
}

import type { Database, Logger } from '@kiln/platform';
import { MemoryVectorIndex } from './memory/memory-vector-index.adapter.js';
import { OpenSearchVectorIndex } from './opensearch/opensearch-vector-index.adapter.js';
import type { OpenSearchVectorIndexes } from './opensearch/opensearch-vector-indexes.adapter.js';
import { PgVectorIndex } from './pgvector/pgvector-index.adapter.js';
import { isInstalled } from './pgvector/vector-copies.statements.js';
import type { VectorFeed } from './vector-feed.store.js';
import type { VectorIndex } from './vector-index.port.js';

interface VectorIndexParts {
  database: Pick<Database, 'query' | 'transaction' | 'dedicatedClient'>;
  feed: Pick<VectorFeed, 'changes'>;
  /** The maximum memory for vectors in this process. */
  bytesMax: number;
  /** Null: not in OpenSearch. */
  openSearch: OpenSearchVectorIndexes | null;
  logger: Pick<Logger, 'info' | 'warn'>;
}

/** Uses OpenSearch if it is configured, else pgvector where it is installed, else the memory of this process. */
export async function openVectorIndex(parts: VectorIndexParts): Promise<VectorIndex> {
  const { database, feed, bytesMax, openSearch: indexes, logger } = parts;
  const inMemory = new MemoryVectorIndex({ feed, bytesMax, logger });
  if (indexes !== null) {
    logger.info({}, 'Opened the vector index in OpenSearch');
    return new OpenSearchVectorIndex({ database, feed, indexes, meanwhile: inMemory, logger });
  }
  const [row] = await database.query<{ installed: boolean }>(isInstalled);
  logger.info({ pgvector: row !== undefined }, 'Opened the vector index');
  return row === undefined ? inMemory : new PgVectorIndex({ database, feed, meanwhile: inMemory, logger });
}

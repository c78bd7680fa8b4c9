import type { Database, Logger } from '@kiln/platform';
import { MemoryVectorIndex } from './memory/memory-vector-index.adapter.js';
import { PgVectorIndex } from './pgvector/pgvector-index.adapter.js';
import { isInstalled } from './pgvector/vector-copies.statements.js';
import type { VectorFeed } from './vector-feed.store.js';
import type { VectorIndex } from './vector-index.port.js';

interface VectorIndexParts {
  database: Pick<Database, 'query' | 'transaction' | 'dedicatedClient'>;
  feed: Pick<VectorFeed, 'changes'>;
  /** The maximum memory for vectors in this process. */
  bytesMax: number;
  logger: Pick<Logger, 'info' | 'warn'>;
}

/** Uses pgvector where it is installed, else the memory of this process. */
export async function openVectorIndex({ database, feed, bytesMax, logger }: VectorIndexParts): Promise<VectorIndex> {
  const inMemory = new MemoryVectorIndex({ feed, bytesMax, logger });
  const [row] = await database.query<{ installed: boolean }>(isInstalled);
  logger.info({ pgvector: row !== undefined }, 'Opened the vector index');
  return row === undefined ? inMemory : new PgVectorIndex({ database, feed, meanwhile: inMemory, logger });
}

// The text index of the harness: in PostgreSQL, or in PostgreSQL and OpenSearch.
import type { Database, Logger } from '@kiln/platform';
import { RunFenceStore } from '../cancellation/run-fence.store.js';
import { FileRemovalStore } from '../deletion/file-removal.store.js';
import { RemovalWorker } from '../deletion/removal.worker.js';
import { MergeRequests } from '../merging/merge-requests.service.js';
import { MergeStore } from '../merging/merge.store.js';
import { MergeWorker } from '../merging/merge.worker.js';
import { PurgeStore } from '../merging/purge.store.js';
import { mayCreateIndex, readGeneration } from '../opensearch/generation.store.js';
import { MoveTailStore } from '../opensearch/move-tail.store.js';
import { OpenSearchConnection } from '../opensearch/opensearch-connection.adapter.js';
import { OpenSearchIndex } from '../opensearch/opensearch-index.adapter.js';
import { TailMerges } from '../opensearch/tail-merges.service.js';
import { TextIndex } from '../text-index/text-index.service.js';
import { PostingsMemory } from '../text-index/postings-memory.domain.js';
import { VectorCopyRequests } from '../vectors/copies/vector-copy-requests.service.js';

export interface SearchOptions {
  /** The addresses of OpenSearch, which then holds what is merged. */
  openSearch?: readonly string[];
  /** Merges after each file that is indexed. */
  mergesAtOnce?: boolean;
  /** Copies of each shard. */
  replicas?: number;
}

/** Enough for all searches that a spec runs at the same time. */
const POSTINGS_MEMORY_BYTES = 1_073_741_824;
const postingsMemory = () => new PostingsMemory(POSTINGS_MEMORY_BYTES);

const unmeasured = { stepped: () => undefined, moved: () => undefined, failed: () => undefined };

interface Parts {
  database: Database;
  logger: Logger;
}

export async function openTextIndex({ database, logger }: Parts, options: SearchOptions) {
  const merges = new MergeStore(database);
  const remote = await openRemote(database, options);
  const moves = remote && new MoveTailStore(database, remote);
  const tails = moves ? new TailMerges(merges, moves, unmeasured, logger) : merges;
  // The worker's loop is not started: specs merge explicitly.
  const mergeRequests = new MergeRequests();
  const mergeWorker = new MergeWorker(tails, new PurgeStore(database), mergeRequests, logger, unmeasured);
  const textIndex = new TextIndex(database, mergeRequests, postingsMemory(), new VectorCopyRequests(), remote);
  const merge = async (tenantId: string) => {
    while (await mergeWorker.maintain(tenantId, 1));
  };
  const removals = new FileRemovalStore(database);
  const removalWorker = new RemovalWorker(removals, new RunFenceStore(database), mergeRequests, logger);
  const remove = async (tenantId: string, ...fileIds: string[]) => {
    await database.transaction(async (transaction) => {
      for (const fileId of fileIds) await removals.remove(transaction, tenantId, fileId);
    });
    while (await removalWorker.round());
  };
  return { removals, removalWorker, remove, merges, remote, moves, mergeRequests, mergeWorker, textIndex, merge };
}

async function openRemote(database: Database, { openSearch = [], replicas = 0 }: SearchOptions) {
  if (openSearch.length === 0) return null;
  return new OpenSearchIndex({
    connection: await OpenSearchConnection.open({ urls: openSearch }),
    name: `test-${await readGeneration(database)}`,
    shards: 2,
    replicas,
    refresh: true,
    mayCreate: () => mayCreateIndex(database),
  });
}

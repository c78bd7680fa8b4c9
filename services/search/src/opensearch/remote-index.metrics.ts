import type { Metrics } from '@kiln/platform';
import type { MoveTailStore } from './move-tail.store.js';

/** `kept`: files that OpenSearch did not take, which PostgreSQL indexes. */
export interface MoveCounts {
  moved(outcome: 'moved' | 'kept', files: number): void;
  failed(): void;
}

export function observeRemoteIndex(metrics: Metrics, store: Pick<MoveTailStore, 'countWithheld'>): MoveCounts {
  const files = metrics.counter(
    'kiln_search_opensearch_files_total',
    'Files that merges took from the tail of a tenant for OpenSearch, by outcome (moved, kept)',
    ['outcome'],
  );
  const failures = metrics.counter(
    'kiln_search_opensearch_failures_total',
    'Writes of files to OpenSearch that failed and are repeated',
  );
  metrics.gauge('kiln_search_opensearch_withheld_files', 'Documents in OpenSearch that searches leave out', () =>
    store.countWithheld(),
  );
  return {
    moved: (outcome, count) => files.add(count, { outcome }),
    failed: () => failures.add(1),
  };
}

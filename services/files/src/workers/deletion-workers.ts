// What deletion does by itself, beside answering: each part in a loop of its own, in every process; rows are leased.
import { PollingLoop } from '@kiln/platform';
import type { Platform } from '@kiln/platform/nest';
import type { ObjectStore } from '@kiln/storage';
import { DeletionStore } from '../store/deletion.store.js';
import { OrphanSearchStore } from '../store/orphan-search.store.js';
import { RemovalStore } from '../store/removal.store.js';
import { DeleteHiddenFiles } from '../usecases/delete-hidden-files.usecase.js';
import { FindOrphans, ORPHAN_SEARCH } from '../usecases/find-orphans.usecase.js';
import { RemoveObjects } from '../usecases/remove-objects.usecase.js';

const STOP_MS = 10_000;
const POLL_MS = 1_000;
const ORPHANS_POLL_MS = 60_000;

export interface DeletionWorkers {
  /** There are objects to remove. */
  objects: () => void;
  /** There are files of deleted spaces. */
  spaces: () => void;
}

export function startDeletionWorkers(
  platform: Platform,
  objects: ObjectStore,
  deletions: DeletionStore,
): DeletionWorkers {
  const { database, shutdown, logger } = platform;
  const removals = new RemovalStore(database);
  const { counters, orphans } = deletionMetrics(platform, removals);
  let stopping = false;
  const isStopping = () => stopping;
  const loop = (name: string, pollMs: number, round: () => Promise<boolean>) =>
    new PollingLoop({ name, pollMs, logger, round });

  const removing = new RemoveObjects(removals, objects, counters, logger);
  const objectLoop = loop('removing objects', POLL_MS, () => removing.round());
  const wakeRemoval = () => objectLoop.wakeUp();
  const deleting = new DeleteHiddenFiles(database, deletions, wakeRemoval, isStopping);
  const spaceLoop = loop('deleting spaces', POLL_MS, () => deleting.round());
  const onFound = (count: number) => {
    orphans.found.inc(count);
    wakeRemoval();
  };
  const search = new OrphanSearchStore(database);
  const searching = new FindOrphans(search, removals, objects, onFound, ORPHAN_SEARCH, isStopping);
  const orphanLoop = loop('searching orphaned objects', ORPHANS_POLL_MS, async () => {
    if (await searching.round()) orphans.passedAt = Date.now() / 1_000;
    return false;
  });

  const loops = [objectLoop, spaceLoop, orphanLoop];
  for (const each of loops) each.start();
  shutdown.addPhase('deletions', STOP_MS, async () => {
    stopping = true;
    await Promise.all(loops.map((each) => each.stop()));
  });
  return { objects: wakeRemoval, spaces: () => spaceLoop.wakeUp() };
}

function deletionMetrics({ metrics }: Platform, removals: RemovalStore) {
  const counters = {
    objects: metrics.counter(
      'kiln_objects_removed_total',
      'Objects removed from storage for deleted or orphaned files',
    ),
    bytes: metrics.counter('kiln_removed_bytes_total', 'Bytes of the objects removed from storage'),
  };
  metrics.gauge(
    'kiln_object_removals_due',
    'Files whose objects are due to be removed from storage',
    async () => (await removals.waiting()).due,
  );
  metrics.gauge(
    'kiln_object_removals_oldest_seconds',
    'Age of the oldest removal that waits',
    async () => (await removals.waiting()).oldestSeconds,
  );
  const orphans = {
    found: metrics.counter('kiln_orphans_found_total', 'Objects without a file that a search has found'),
    passedAt: 0,
  };
  metrics.gauge(
    'kiln_orphan_search_passed_seconds',
    'When this process last finished a search for orphaned objects, as Unix time; 0 when it never has',
    () => orphans.passedAt,
  );
  return { counters, orphans };
}

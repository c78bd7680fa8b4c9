// What deletion does by itself, beside answering: each part in a loop of its own, in every process; rows are leased.
import { PollingLoop } from '@kiln/platform';
import type { Platform } from '@kiln/platform/nest';
import type { ObjectStore } from '@kiln/storage';
import { DeletionStore } from '../store/deletion.store.js';
import { RemovalStore } from '../store/removal.store.js';
import { DeleteHiddenFiles } from '../usecases/delete-hidden-files.usecase.js';
import { RemoveObjects } from '../usecases/remove-objects.usecase.js';

const STOP_MS = 10_000;
/** Longest wait for what another process has left; see PollingLoop. */
const POLL_MS = 30_000;
/** While events pile up, what is due waits for them. */
const PAUSE_MIN_MS = 1_000;

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
  { uploadBytesMax, pollMs = POLL_MS }: { uploadBytesMax: number; pollMs?: number },
): DeletionWorkers {
  const { database, shutdown, logger } = platform;
  const removals = new RemovalStore(database);
  const counters = deletionMetrics(platform, removals);
  let stopping = false;
  const isStopping = () => stopping;
  const removing = new RemoveObjects(removals, objects, counters, logger, uploadBytesMax);
  const objectLoop = new PollingLoop({
    name: 'removing objects',
    pollMs,
    logger,
    round: () => removing.round(),
    nextDueInMs: () => removals.nextDueInMs(),
  });
  const wakeRemoval = () => objectLoop.wakeUp();
  const deleting = new DeleteHiddenFiles(database, deletions, wakeRemoval, isStopping);
  const spaceLoop = new PollingLoop({
    name: 'deleting spaces',
    pollMs,
    pauseMinMs: PAUSE_MIN_MS,
    logger,
    round: () => deleting.round(),
    nextDueInMs: () => deletions.nextDueInMs(),
  });

  const loops = [objectLoop, spaceLoop];
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
  return counters;
}

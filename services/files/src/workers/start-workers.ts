// What the files service does by itself, beside answering: each in a loop of its own, in every process; rows are leased.
import { PollingLoop } from '@kiln/platform';
import type { Platform } from '@kiln/platform/nest';
import type { ObjectStore } from '@kiln/storage';
import { DeletionStore } from '../store/deletion.store.js';
import { RemovalStore } from '../store/removal.store.js';
import { DeleteHiddenFiles } from '../usecases/delete-hidden-files.usecase.js';
import { RemoveObjects } from '../usecases/remove-objects.usecase.js';

const STOP_MS = 10_000;
const POLL_MS = 1_000;

export interface DeletionWorkers {
  /** There are objects to remove. */
  objects: () => void;
  /** There are files of deleted spaces. */
  spaces: () => void;
}

export function startDeletionWorkers(
  { database, metrics, shutdown, logger }: Platform,
  objects: ObjectStore,
  deletions: DeletionStore,
): DeletionWorkers {
  const removals = new RemovalStore(database);
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

  const removing = new RemoveObjects(removals, objects, counters, logger);
  const objectLoop = new PollingLoop({
    name: 'removing objects',
    pollMs: POLL_MS,
    logger,
    round: () => removing.round(),
  });
  let stopping = false;
  const deleting = new DeleteHiddenFiles(
    database,
    deletions,
    () => objectLoop.wakeUp(),
    () => stopping,
  );
  const spaceLoop = new PollingLoop({
    name: 'deleting spaces',
    pollMs: POLL_MS,
    logger,
    round: () => deleting.round(),
  });
  objectLoop.start();
  spaceLoop.start();
  shutdown.addPhase('deletions', STOP_MS, async () => {
    stopping = true;
    await Promise.all([spaceLoop.stop(), objectLoop.stop()]);
  });
  return { objects: () => objectLoop.wakeUp(), spaces: () => spaceLoop.wakeUp() };
}

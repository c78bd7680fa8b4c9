// Repairs files that rest in processing without a live job, every few minutes in one process at a time.
import { PollingLoop } from '@kiln/platform';
import type { Platform } from '@kiln/platform/nest';
import { ProcessingCheckStore } from '../store/processing-check.store.js';
import { CheckProcessing } from '../usecases/check-processing.usecase.js';

const POLL_MS = 60_000;
const STOP_MS = 12_000;

export function startProcessingCheck({ database, rpc, metrics, shutdown, logger }: Platform): void {
  const repaired = metrics.counter(
    'kiln_files_processing_repaired_total',
    'Files that were processing without a live job, by the status they were given',
    ['status'],
  );
  let passedAt = 0;
  metrics.gauge(
    'kiln_files_processing_check_passed_seconds',
    'When this process last finished a check of the files that are processing, as Unix time; 0 when it never has',
    () => passedAt,
  );
  let stopping = false;
  const checking = new CheckProcessing({
    checks: new ProcessingCheckStore(database),
    rpc,
    logger,
    onRepaired: (status) => repaired.inc({ status }),
    isStopping: () => stopping,
  });
  const loop = new PollingLoop({
    name: 'checking files that are processing',
    pollMs: POLL_MS,
    logger,
    round: async () => {
      if (await checking.round()) passedAt = Date.now() / 1_000;
      return false;
    },
  });
  loop.start();
  shutdown.addPhase('processing check', STOP_MS, async () => {
    stopping = true;
    await loop.stop();
  });
}

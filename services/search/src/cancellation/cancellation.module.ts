import { Module } from '@nestjs/common';
import { CancellationController } from './cancellation.controller.js';
import { JobEventsConsumer } from './job-events.consumer.js';
import { FenceRuns } from './fence-runs.usecase.js';
import { RunFenceStore } from './run-fence.store.js';

/** Refuses runs of cancelled jobs. */
@Module({
  controllers: [CancellationController, JobEventsConsumer],
  providers: [FenceRuns, RunFenceStore],
  exports: [RunFenceStore],
})
export class CancellationModule {}

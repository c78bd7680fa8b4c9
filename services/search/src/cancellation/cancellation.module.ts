import { Module } from '@nestjs/common';
import { CancellationController } from './cancellation.controller.js';
import { JobEventsConsumer } from './job-events.consumer.js';
import { RefuseRuns } from './refuse-runs.usecase.js';
import { RefusedRunStore } from './refused-run.store.js';

/** Refuses runs of cancelled jobs. */
@Module({
  controllers: [CancellationController, JobEventsConsumer],
  providers: [RefuseRuns, RefusedRunStore],
  exports: [RefusedRunStore],
})
export class CancellationModule {}

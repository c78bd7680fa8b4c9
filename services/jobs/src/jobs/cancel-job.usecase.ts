// Cancels a job for a caller. After the answer the job never completes, and no later write of a run becomes visible. The worker stops the
// run as soon as it receives the wake-up.
import {
  conflict,
  encodeId,
  notFound,
  uuidOf,
  type CallContext,
  type JobsInput,
  type JobsOutput,
} from '@kiln/contracts';
import { appendEvents, Database, WakeUp } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { JobChangeStore } from './job-change.store.js';
import { jobCancelled } from './job.events.js';
import { RUNS_ENDED_WAKE_UP } from '../wake-ups.events.js';
import { ChangeNotice } from './change-notice.service.js';

@Injectable()
export class CancelJob {
  constructor(
    private readonly database: Database,
    private readonly changes: JobChangeStore,
    private readonly wakeUp: WakeUp,
    private readonly notice: ChangeNotice,
  ) {}

  async execute({ id }: JobsInput<'cancelJob'>, context: CallContext): Promise<JobsOutput<'cancelJob'>> {
    const cancellation = await this.cancel(context.tenantId, uuidOf('job', id));
    if (!cancellation) throw notFound('No job has this id.');
    const { was, job } = cancellation;
    if (!job) throw conflict(`The job is ${was}. Only a queued or processing job can be cancelled.`);
    if (was === 'processing') this.wakeUp.send(RUNS_ENDED_WAKE_UP);
    await this.notice.cancelled(job, context);
    return { id: encodeId('job', job.id), status: 'cancelled' };
  }

  private cancel(tenantId: string, jobId: string) {
    return this.database.transaction(async (transaction) => {
      const cancellation = await this.changes.cancel(transaction, tenantId, jobId);
      if (cancellation?.job) await appendEvents(transaction, jobCancelled(cancellation.job));
      return cancellation;
    });
  }
}

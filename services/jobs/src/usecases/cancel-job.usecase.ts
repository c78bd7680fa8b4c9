// A caller wants a job no more. Once this has answered, the job never completes, and nothing that a run of it still writes is
// seen; the run itself is stopped as soon as its worker hears of it.
import {
  conflict,
  encodeId,
  notFound,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type jobsOperations,
} from '@kiln/contracts';
import { appendEvents, Database, WakeUp } from '@kiln/platform';
import { JobChangeStore } from '../store/job-change.store.js';
import { jobCancelled } from '../store/job.events.js';
import { RUNS_ENDED_WAKE_UP } from './forget-file.usecase.js';
import { ChangeNotice } from './change-notice.js';

type CancelJobOperation = (typeof jobsOperations)['cancelJob'];

export class CancelJob {
  constructor(
    private readonly database: Database,
    private readonly changes: JobChangeStore,
    private readonly wakeUp: WakeUp,
    private readonly notice: ChangeNotice,
  ) {}

  async execute(
    { id }: OperationInput<CancelJobOperation>,
    context: CallContext,
  ): Promise<OperationOutput<CancelJobOperation>> {
    const cancellation = await this.cancel(context.tenantId, uuidOf('job', id));
    if (!cancellation) throw notFound('No job has this id.');
    const { was, job } = cancellation;
    if (!job) throw conflict(`The job is ${was}. Only a queued or processing one can be cancelled.`);
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

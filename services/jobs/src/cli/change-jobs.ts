// What an operator changes goes the way of the API: the same operations, one call for each job, in its tenant's name.
import { CodedError, encodeId, jobsOperations, modeOf, type CallContext } from '@kiln/contracts';
import type { RpcClient } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import type { JobRow } from '../store/job.rows.js';
import type { OperatorJob } from '../store/operator-jobs.store.js';

export type Change = 'requeue' | 'cancel';

/** The statuses that each change is for. */
export const changeable: Record<Change, readonly JobRow['status'][]> = {
  requeue: ['failed'],
  // In this order: a job that begins to run meanwhile is met again among those that run.
  cancel: ['queued', 'processing'],
};

export interface Outcome {
  job: OperatorJob;
  /** Null when it was changed; else why not. */
  refusal: { code: string; message: string } | null;
}

const CALLS_AT_ONCE = 8;
const CALL_TIMEOUT_MS = 10_000;

/** Changes each job, some at a time. A job that is no longer as it was is left alone, and says so. */
export async function changeJobs(rpc: RpcClient, change: Change, jobs: readonly OperatorJob[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let first = 0; first < jobs.length; first += CALLS_AT_ONCE) {
    const together = jobs.slice(first, first + CALLS_AT_ONCE);
    outcomes.push(...(await Promise.all(together.map((job) => changeJob(rpc, change, job)))));
  }
  return outcomes;
}

async function changeJob(rpc: RpcClient, change: Change, job: OperatorJob): Promise<Outcome> {
  const operation = change === 'requeue' ? jobsOperations.retryJob : jobsOperations.cancelJob;
  const context: CallContext = {
    requestId: `kiln-jobs-${uuidv7()}`,
    tenantId: job.tenant_id,
    mode: modeOf(job.tenant_id),
    principal: 'operator',
    deadlineAt: Date.now() + CALL_TIMEOUT_MS,
  };
  try {
    await rpc.call(operation, { id: encodeId('job', job.id) }, context);
    return { job, refusal: null };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { job, refusal: { code: error.code, message: error.message } };
  }
}

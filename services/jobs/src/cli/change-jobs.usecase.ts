// An operator changes jobs by the same operations as the API: one call for each job, on behalf of its tenant.
import { CodedError, encodeId, jobsOperations, internalContext } from '@kiln/contracts';
import type { RpcClient } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import type { JobRow } from '../jobs/job.rows.js';
import type { OperatorJob } from '../jobs/operator-jobs.store.js';

export type Change = 'requeue' | 'cancel';

/** The statuses that each change is for. */
export const changeable: Record<Change, readonly JobRow['status'][]> = {
  requeue: ['failed'],
  // In this order: a job that starts running meanwhile is found again among the processing jobs.
  cancel: ['queued', 'processing'],
};

export interface Outcome {
  job: OperatorJob;
  /** Null: the job was changed. */
  refusal: { code: string; message: string } | null;
}

const CALLS_AT_ONCE = 8;
const CALL_TIMEOUT_MS = 10_000;

/** Changes the jobs, some at a time. A job whose status has changed is refused and stays as it is. */
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
  const about = { tenantId: job.tenant_id, requestId: `kiln-jobs-${uuidv7()}`, timeoutMs: CALL_TIMEOUT_MS };
  const context = internalContext('operator', about);
  try {
    await rpc.call(operation, { id: encodeId('job', job.id) }, context);
    return { job, refusal: null };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { job, refusal: { code: error.code, message: error.message } };
  }
}

// Reserves pages for jobs that the gateway does not see one by one. If the plan has a hard limit, the pages are reserved at the
// jobs service, as the gateway does for uploads (docs/adr/0009).
import {
  encodeId,
  jobsOperations,
  RESERVATIONS_PER_CALL_MAX,
  type CallContext,
  type ExpectedJob,
} from '@kiln/contracts';
import type { RpcClient } from '@kiln/platform';

export interface Reservation {
  /** Releases the pages of jobs that will not be made. If that fails, they are free when the reservation expires. */
  release(jobIds: readonly string[]): Promise<void>;
}

const RELEASE_TIMEOUT_MS = 2_000;
const nothing: Reservation = { release: () => Promise.resolve() };

/** Reserves the pages of all jobs, or throws QUOTA_EXCEEDED. `pagesLimit` is null for a plan without a hard limit. */
export async function reserveJobs(
  rpc: Pick<RpcClient, 'call'>,
  jobs: readonly ExpectedJob[],
  pagesLimit: number | null,
  context: CallContext,
): Promise<Reservation> {
  if (pagesLimit === null || jobs.length === 0) return nothing;
  if (jobs.length > RESERVATIONS_PER_CALL_MAX) throw new RangeError('more jobs than one call may reserve for');
  await rpc.call(jobsOperations.reservePages, { jobs: [...jobs], pages_limit: pagesLimit }, context);
  return {
    release: async (ids) => {
      if (ids.length === 0) return;
      const soon = { ...context, deadlineAt: Date.now() + RELEASE_TIMEOUT_MS };
      const given = { job_ids: ids.map((id) => encodeId('job', id)) };
      await rpc.call(jobsOperations.releasePages, given, soon).catch(() => undefined);
    },
  };
}

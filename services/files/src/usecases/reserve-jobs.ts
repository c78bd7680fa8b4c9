// Pages for jobs that are made without the gateway being asked for each: where the plan ends hard, reserved at the jobs service as
// the gateway does it for uploads (docs/adr/0009).
import {
  encodeId,
  jobsOperations,
  RESERVATIONS_PER_CALL_MAX,
  type CallContext,
  type ExpectedJob,
} from '@kiln/contracts';
import type { RpcClient } from '@kiln/platform';

export interface Reservation {
  /** These will not be. What can't be given back is free when its lease ends. */
  release(jobIds: readonly string[]): Promise<void>;
}

const RELEASE_TIMEOUT_MS = 2_000;
const nothing: Reservation = { release: () => Promise.resolve() };

/** The pages of each of the jobs or QUOTA_EXCEEDED. `pagesLimit` null: nothing ends hard. */
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

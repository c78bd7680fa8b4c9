// POST /v1/jobs/:id/retry: reserves pages for the job again, then asks the jobs service.
import { jobsOperations } from '@kiln/contracts';
import type { RouteRequest } from '../routes/route-request.js';
import type { GatewayServices } from '../services.js';
import { wasRefused } from '../upload/register-file.js';

export async function retryJob(
  { params, caller, context }: RouteRequest<{ id: string }, object, undefined>,
  { rpc, quota }: GatewayServices,
) {
  const permit = await quota.admit(caller, [{ id: params.id }], context);
  try {
    return await rpc.call(jobsOperations.retryJob, params, context);
  } catch (error) {
    if (wasRefused(error)) await permit.release();
    throw error;
  }
}

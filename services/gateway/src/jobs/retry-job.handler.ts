// POST /v1/jobs/:id/retry: reserves pages for the job again, then asks the jobs service.
import { jobsOperations } from '@kiln/contracts';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';
import { wasRefused } from '../upload/register-file.adapter.js';

export async function retryJob(
  { params, caller, context }: RouteRequest<{ id: string }, object, undefined>,
  { rpc, quota }: GatewayServices,
) {
  const reservation = await quota.admit(caller, [{ id: params.id }], context);
  try {
    return await rpc.call(jobsOperations.retryJob, params, context);
  } catch (error) {
    if (wasRefused(error)) await reservation.release();
    throw error;
  }
}

// GET /v1/org/usage: the pages counted by the jobs service, compared with the plan.
import { jobsOperations, type usageSchema } from '@kiln/contracts';
import type { z } from 'zod';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

export async function getUsage(
  { caller, context }: RouteRequest<object, object>,
  { rpc, quota }: GatewayServices,
): Promise<z.output<typeof usageSchema>> {
  const { period, pages_used } = await rpc.call(jobsOperations.getUsage, {}, context);
  const { plan } = caller;
  const pages_limit = quota.pagesOf(plan);
  return { period, pages_used, pages_limit, plan, overage_pages: overageOf(pages_used, pages_limit) };
}

/** Pages are compared in hundredths, so that 0.6 + 0.6 + 0.6 pages are no more than 1.8. */
const overageOf = (used: number, limit: number | null): number =>
  limit === null ? 0 : Math.max(0, Math.round(used * 100) - limit * 100) / 100;

import { jobsWorkerOperations, searchOperations, type Capabilities } from '@kiln/contracts';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

export async function getCapabilities(
  { context }: Pick<RouteRequest<object, object>, 'context'>,
  { rpc }: GatewayServices,
): Promise<Capabilities> {
  const [engines, models] = await Promise.all([
    rpc.call(jobsWorkerOperations.findEngines, {}, context),
    rpc.call(searchOperations.findModels, {}, context),
  ]);
  return { ...engines, ...models };
}

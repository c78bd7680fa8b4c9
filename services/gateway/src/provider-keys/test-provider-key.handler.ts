// The services that call a provider test its keys.
import { jobsWorkerOperations, searchOperations, type KeyedProvider, type KeyTest } from '@kiln/contracts';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

export function testProviderKey(
  { params: { provider }, context }: RouteRequest<{ provider: KeyedProvider }, object>,
  { rpc }: GatewayServices,
): Promise<KeyTest> {
  return provider === 'embedding' || provider === 'chat'
    ? rpc.call(searchOperations.testModelKey, { provider }, context)
    : rpc.call(jobsWorkerOperations.testExtractionKey, { provider }, context);
}

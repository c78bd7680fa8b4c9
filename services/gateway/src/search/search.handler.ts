// Searches. A chunk's text is sent once over the bus, and under two names to the caller: `chunk_text` is the older one.
import { publicSearchResponseSchema, searchOperations, type CallContext, type OperationInput } from '@kiln/contracts';
import type { z } from 'zod';
import type { PortalRequest, RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

type SearchBody = OperationInput<typeof searchOperations.search>;
type Services = Pick<GatewayServices, 'rpc'>;

export function searchFiles({ body, context }: RouteRequest<object, object, SearchBody>, services: Services) {
  return search(body, context, services);
}

export function searchPortal(
  { body, space, context }: PortalRequest<object, object, Omit<SearchBody, 'space'>>,
  services: Services,
) {
  return search({ ...body, space }, context, services);
}

export async function search(
  input: SearchBody,
  context: CallContext,
  { rpc }: Services,
): Promise<z.input<typeof publicSearchResponseSchema>> {
  const { results, ...rest } = await rpc.call(searchOperations.search, input, context);
  return { ...rest, results: results.map((result) => ({ ...result, text: result.chunk_text })) };
}

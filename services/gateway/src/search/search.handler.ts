// Searches. A chunk's text is sent once over the bus, and under two names to the caller: `chunk_text` is the older one.
import { publicSearchResponseSchema, searchOperations, type OperationInput } from '@kiln/contracts';
import type { z } from 'zod';
import { spaceFor, type Caller } from '../auth/caller.domain.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

type SearchBody = OperationInput<typeof searchOperations.search>;

export async function search(
  { body, caller, context }: Pick<RouteRequest<object, object, SearchBody, Caller>, 'body' | 'caller' | 'context'>,
  { rpc }: Pick<GatewayServices, 'rpc'>,
): Promise<z.input<typeof publicSearchResponseSchema>> {
  const input = { ...body, ...spaceFor(caller, body.space) };
  const { results, ...rest } = await rpc.call(searchOperations.search, input, context);
  return { ...rest, results: results.map((result) => ({ ...result, text: result.chunk_text })) };
}

// What a row adds to its answer when the request has been performed: its Idempotency-Key keeps the answer without it, and the memory of an upload is
// free.
import { parseInput } from '@kiln/contracts';
import type { Request } from 'express';
import type { Caller } from '../auth/caller.domain.js';
import type { Route } from '../routes/kinds.route.js';
import type { GatewayServices } from '../services.port.js';
import { contextOf, timeoutOf } from './call-context.http.js';
import { readQuery } from './query.http.js';

export async function followUp(
  answer: unknown,
  { route, request, caller }: { route: Route; request: Request; caller: Caller | null },
  services: GatewayServices,
): Promise<unknown> {
  if (route.stack !== 'key' || !route.followUp || !caller) return answer;
  const query = route.query ? parseInput(route.query, readQuery(request.originalUrl)) : {};
  return route.followUp(
    answer,
    { query, context: contextOf(request, caller, timeoutOf(route)), http: request },
    services,
  );
}

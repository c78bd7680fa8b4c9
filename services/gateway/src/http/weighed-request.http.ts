// Reads the JSON body of a request under the limits on memory and work of its tenant. It waits for room for the bytes, reads
// them, and then waits for a place for the work. A body that is still arriving takes no place.
import { parseInput } from '@kiln/contracts';
import type { Request } from 'express';
import type { BodyMemory } from '../limits/body-memory.service.js';
import { unitsOfBytes, type HeavyWork } from '../limits/heavy-work.service.js';
import type { Route } from '../routes/kinds.route.js';
import { clientDisconnect } from './client-disconnect.http.js';
import { expectedBytesMax, hasNoBody, JSON_BYTES_MAX, parseJson, readBytes } from './json-body.http.js';
import { stateOf } from './request-state.http.js';

export interface Limits {
  bodyMemory: BodyMemory;
  heavyWork: HeavyWork;
}

export type RouteWithBody = Route & { body: NonNullable<Route['body']> };

export interface WeighedRequest<Row extends Route = RouteWithBody> {
  route: Row;
  request: Request;
  /** The organization whose share it takes. */
  tenantId: string;
  query: Record<string, unknown>;
}

/** Calls `perform` when there is a place for the work that the query asks for. */
export async function performWithoutBody<Result>(
  { route, request, tenantId, query }: WeighedRequest<Route>,
  { heavyWork }: Pick<Limits, 'heavyWork'>,
  perform: () => Promise<Result>,
): Promise<Result> {
  const units = route.body ? 0 : (route.units?.(undefined, query) ?? 0);
  const held = await heavyWork.take({ tenantId, units, left: () => clientDisconnect(request) });
  try {
    return await perform();
  } finally {
    held.release();
  }
}

/** Calls `perform` with the body, when there is a place for its work. */
export async function performWeighed<Result>(
  { route, request, tenantId, query }: WeighedRequest,
  { bodyMemory, heavyWork }: Limits,
  perform: (body: unknown) => Promise<Result>,
): Promise<Result> {
  // The body is optional if every field is.
  if (hasNoBody(request) && route.body.safeParse({}).success) return perform(parseInput(route.body, {}));
  const owner = { tenantId, left: () => clientDisconnect(request) };
  const bytesMax = expectedBytesMax(request, route.bodyBytesMax ?? JSON_BYTES_MAX);
  const memory = await bodyMemory.hold({ ...owner, bytesMax });
  const state = stateOf(request);
  try {
    const bytes = await readBytes(request, { bytesMax, heldBytes: bytesMax });
    memory.shrinkTo(bytes.length);
    const units = unitsOfBytes(bytes.length);
    state.heavyWork = await heavyWork.take({ ...owner, units });
    const body: unknown = parseInput(route.body, parseJson(bytes));
    const unitsOfContent = route.units?.(body, query) ?? 0;
    if (unitsOfContent > units) {
      // If requests kept their places while they wait for more, they could wait for each other.
      state.heavyWork.release();
      state.heavyWork = await heavyWork.take({ ...owner, units: unitsOfContent });
    }
    return await perform(body);
  } finally {
    state.heavyWork?.release();
    memory.release();
  }
}

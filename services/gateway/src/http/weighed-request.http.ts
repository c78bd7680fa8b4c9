// Reads the JSON body of a request under the limits on memory and work of its tenant. It waits for room for the bytes, reads
// them, and then waits for a place for the work. A body that is still arriving takes no place.
import { parseInput } from '@kiln/contracts';
import type { z } from 'zod';
import type { AdmittedRequest } from '../auth/admission.http.js';
import type { BodyMemory } from '../limits/body-memory.service.js';
import { unitsOfBytes, type HeavyWork } from '../limits/heavy-work.service.js';
import type { PlaceOwner } from '../limits/tenant-queue.service.js';
import { clientDisconnect } from './client-disconnect.http.js';
import { expectedBytesMax, hasNoBody, JSON_BYTES_MAX, parseJson, readBytes } from './json-body.http.js';
import { stateOf } from './request-state.http.js';

export interface Limits {
  bodyMemory: BodyMemory;
  heavyWork: HeavyWork;
}

/** All callers without credentials have one share of memory and work together. */
const NO_TENANT = 'none';

/** Calls `perform` with the body, when there is a place for the work that the request asks for. */
export async function performWeighed<Result>(
  admitted: AdmittedRequest,
  limits: Limits,
  perform: (body: unknown) => Promise<Result>,
): Promise<Result> {
  const { route, request, caller, query } = admitted;
  const owner = { tenantId: caller?.tenantId ?? NO_TENANT, left: () => clientDisconnect(request) };
  if (route.body) return performWithBody({ ...admitted, schema: route.body, owner }, limits, perform);
  if (!caller) return perform(undefined);
  const held = await limits.heavyWork.take(owner, route.units?.(undefined, query) ?? 0);
  try {
    return await perform(undefined);
  } finally {
    held.release();
  }
}

async function performWithBody<Result>(
  { route, request, query, schema, owner }: AdmittedRequest & { schema: z.ZodType; owner: PlaceOwner },
  { bodyMemory, heavyWork }: Limits,
  perform: (body: unknown) => Promise<Result>,
): Promise<Result> {
  // The body is optional if every field is.
  if (hasNoBody(request) && schema.safeParse({}).success) return perform(parseInput(schema, {}));
  const bytesMax = expectedBytesMax(request, route.bodyBytesMax ?? JSON_BYTES_MAX);
  const memory = await bodyMemory.hold(owner, bytesMax);
  const state = stateOf(request);
  try {
    const bytes = await readBytes(request, { bytesMax, heldBytes: bytesMax });
    memory.shrinkTo(bytes.length);
    const units = unitsOfBytes(bytes.length);
    state.heavyWork = await heavyWork.take(owner, units);
    const body: unknown = parseInput(schema, parseJson(bytes));
    const unitsOfContent = route.units?.(body, query) ?? 0;
    if (unitsOfContent > units) {
      // If requests kept their places while they wait for more, they could wait for each other.
      state.heavyWork.release();
      state.heavyWork = await heavyWork.take(owner, unitsOfContent);
    }
    return await perform(body);
  } finally {
    state.heavyWork?.release();
    memory.release();
  }
}

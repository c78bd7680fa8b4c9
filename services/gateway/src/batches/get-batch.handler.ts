// GET /v1/batches/:id, at once or when all files of the batch have ended.
import { filesOperations, type FilesOutput } from '@kiln/contracts';
import { clientDisconnect } from '../http/client-disconnect.http.js';
import type { RouteRequest } from '../routes/request.route.js';
import type { GatewayServices } from '../services.port.js';

/** Hundreds of jobs can end in a second. */
const PACE_MS = 250;

export function getBatch(
  { params, query, context, http }: RouteRequest<{ id: string }, { wait: number }>,
  { rpc, jobEnds }: GatewayServices,
): Promise<FilesOutput<'getBatch'>> {
  return jobEnds.stateOf({
    tenantId: context.tenantId,
    jobId: null,
    read: () => rpc.call(filesOperations.getBatch, params, context),
    isEnded: ({ in_progress: left, rest }) => left === 0 && rest === 'none',
    waitSeconds: query.wait,
    paceMs: PACE_MS,
    left: clientDisconnect(http),
  });
}

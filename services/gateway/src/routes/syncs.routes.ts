import { connectionsOperations, idSchema, startSyncSchema, SYNC_WAIT_MS, syncQuerySchema } from '@kiln/contracts';
import { z } from 'zod';
import { exampleSync } from './nodes.examples.js';
import { operationRoute } from './kinds.route.js';

const reading = { method: 'GET', tag: 'Connections', scope: 'connections:read' } as const;

const writing = { tag: 'Connections', scope: 'connections:write' } as const;

const params = z.object({ id: idSchema('connection') });
const ofConnection = ({ params: { id } }: { params: { id: string } }) => ({ connection_id: id });

export const syncsRoutes = [
  operationRoute({
    name: 'startSync',
    ...writing,
    method: 'POST',
    path: '/v1/connections/:id/sync',
    summary: 'Sync a connection with its bucket.',
    description:
      'Lists the bucket and updates the nodes, without reading bytes. The request waits up to 10 seconds. A longer ' +
      'sync returns as `syncing` and continues in the background. Returns 409 if another sync is running. Nodes ' +
      'are removed only after the whole bucket has been listed. A sync that would remove more than 20 nodes and ' +
      'more than half of all nodes fails with `too_many_deletions`, unless `force` is true.',
    params,
    body: startSyncSchema,
    operation: connectionsOperations.startSync,
    input: ({ params: { id }, body: { force }, caller, ids }, { quota }) => ({
      connection_id: id,
      sync_id: ids.id('sync'),
      force,
      ...quota.syncLimits(caller),
    }),
    timeoutMs: SYNC_WAIT_MS + 4_000,
    example: { request: { force: false }, response: exampleSync },
  }),
  operationRoute({
    name: 'cancelSync',
    ...writing,
    method: 'POST',
    path: '/v1/connections/:id/sync/cancel',
    summary: 'Cancel the running sync.',
    description:
      'The sync ends as `cancelled`. Nodes found so far are kept, and none are removed. Returns 409 if no sync is pending or running.',
    params,
    operation: connectionsOperations.cancelSync,
    input: ofConnection,
    example: { response: { ...exampleSync, status: 'cancelled', files_deleted: 0 } },
  }),
  operationRoute({
    name: 'previewSync',
    ...writing,
    method: 'POST',
    path: '/v1/connections/:id/sync/preview',
    summary: 'Preview a sync.',
    description:
      'Lists the bucket and returns what a sync would change, without changing anything. If listing takes longer than ' +
      'about 15 seconds, the preview covers the part that was listed, and `complete` is false.',
    params,
    operation: connectionsOperations.previewSync,
    input: ofConnection,
    timeoutMs: 22_000,
    example: {
      response: {
        new_files: 12,
        updated_files: 3,
        deleted_files: 1,
        queued_files: 15,
        excluded_files: 204,
        total_size_bytes: 734_003_200,
        complete: true,
      },
    },
  }),
  operationRoute({
    name: 'getSyncProgress',
    ...reading,
    path: '/v1/connections/:id/sync/progress',
    summary: 'Get the progress of the newest sync.',
    description:
      '`total` is the number of objects counted by the last complete sync, because the size of a bucket is unknown until it has been listed.',
    params,
    operation: connectionsOperations.getSyncProgress,
    input: ofConnection,
    example: {
      response: {
        status: 'syncing',
        synced: 48_000,
        total: 120_400,
        percent: 39.9,
        eta_seconds: 5,
        started_at: exampleSync.started_at,
      },
    },
  }),
  operationRoute({
    name: 'listSyncs',
    ...reading,
    path: '/v1/connections/:id/sync/history',
    summary: 'List the syncs of a connection.',
    params,
    query: syncQuerySchema,
    operation: connectionsOperations.listSyncs,
    input: ({ params: { id }, query }) => ({ ...query, connection_id: id }),
    example: { response: { syncs: [exampleSync], next_cursor: null } },
  }),
];

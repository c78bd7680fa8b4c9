import { filesOperations, spaceDeletionQuerySchema, spaceListQuerySchema, spaceSchema } from '@kiln/contracts';
import { z } from 'zod';
import { operationRoute } from './kinds.route.js';

const reading = { method: 'GET', tag: 'Spaces', scope: 'files:read' } as const;

export const spacesRoutes = [
  operationRoute({
    name: 'listSpaces',
    ...reading,
    path: '/v1/spaces',
    summary: 'List spaces.',
    description:
      'Returns spaces ordered by name, each with its number of files. A space exists from its first file until it is deleted.',
    query: spaceListQuerySchema,
    operation: filesOperations.listSpaces,
    example: { response: { spaces: [{ space: 'default', file_count: 42 }], next_cursor: null } },
  }),
  operationRoute({
    name: 'getSpaceStats',
    ...reading,
    path: '/v1/spaces/:name/stats',
    summary: 'Get the file statistics of a space.',
    description: 'The counts include every change whose request has returned.',
    params: z.object({ name: spaceSchema }),
    operation: filesOperations.getSpaceStats,
    example: {
      response: {
        space: 'default',
        total_files: 42,
        total_size_bytes: 2_024_946,
        status_counts: { uploading: 0, uploaded: 1, processing: 2, completed: 38, failed: 1 },
      },
    },
  }),
  operationRoute({
    name: 'deleteSpace',
    method: 'DELETE',
    path: '/v1/spaces/:name',
    tag: 'Spaces',
    summary: 'Delete a space.',
    description:
      'Returns 409 if the space has files and `cascade` is not true. With `cascade`, its files cannot be read ' +
      'once this request returns; their data is removed in the background. Files uploaded later to a space of ' +
      'the same name are not affected.',
    scope: 'files:write',
    params: z.object({ name: spaceSchema }),
    query: spaceDeletionQuerySchema,
    operation: filesOperations.deleteSpace,
    example: { response: { deleted: true, files_deleted: 42 } },
  }),
];

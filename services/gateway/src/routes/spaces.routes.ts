import { filesOperations, spaceDeletionQuerySchema, spaceListQuerySchema, spaceSchema } from '@kiln/contracts';
import { z } from 'zod';
import { operationRoute } from './route.js';

export const spacesRoutes = [
  operationRoute({
    name: 'listSpaces',
    method: 'GET',
    path: '/v1/spaces',
    tag: 'Spaces',
    summary: 'List the spaces with their number of files',
    description: 'In the order of their names. A space exists from its first file until it is deleted.',
    scope: 'files:read',
    query: spaceListQuerySchema,
    operation: filesOperations.listSpaces,
    input: ({ query }) => query,
    success: 200,
    example: { response: { spaces: [{ space: 'default', file_count: 42 }], next_cursor: null } },
  }),
  operationRoute({
    name: 'getSpaceStats',
    method: 'GET',
    path: '/v1/spaces/:name/stats',
    tag: 'Spaces',
    summary: "Count a space's files and bytes",
    description: 'The counts hold every change that has been answered.',
    scope: 'files:read',
    params: z.object({ name: spaceSchema }),
    operation: filesOperations.getSpaceStats,
    input: ({ params }) => params,
    success: 200,
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
    summary: 'Delete a space, with its files when asked to',
    description:
      'With `cascade` none of its files can be read when this answers; they are deleted in the background. Files that are ' +
      'put into a space of this name from then on stay.',
    scope: 'files:write',
    params: z.object({ name: spaceSchema }),
    query: spaceDeletionQuerySchema,
    operation: filesOperations.deleteSpace,
    input: ({ params, query }) => ({ ...params, ...query }),
    success: 200,
    example: { response: { deleted: true, files_deleted: 42 } },
  }),
];

import { searchOperations, searchRequestSchema } from '@kiln/contracts';
import { exampleSearchResult } from './examples.js';
import { operationRoute } from './route.js';

export const searchRoutes = [
  operationRoute({
    name: 'search',
    method: 'POST',
    path: '/v1/search',
    tag: 'Search',
    summary: 'Search the content of files',
    scope: 'search:read',
    body: searchRequestSchema,
    operation: searchOperations.search,
    input: ({ body }) => body,
    success: 200,
    example: {
      request: { query: 'termination notice', mode: 'text', limit: 5 },
      response: {
        results: [exampleSearchResult],
        total: 1,
        query: 'termination notice',
        mode: 'text',
      },
    },
  }),
];

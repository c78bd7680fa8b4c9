import { analyticsOperations, encodeId, requestLogQuerySchema } from '@kiln/contracts';
import { operationRoute } from './kinds.route.js';

export const requestLogRoutes = [
  operationRoute({
    name: 'listRequests',
    method: 'GET',
    path: '/v1/api-logs',
    tag: 'Request log',
    summary: 'List the requests of your keys.',
    description:
      'Returns the newest requests first, for 7 days, including those that were refused with 401 or 403. The status 499 is that of a ' +
      'request whose caller disconnected before the response; it may have been performed. Filters are combined with AND. ' +
      'A request appears within 5 seconds. If filters rarely match together, a page may have fewer entries than `limit`, or none; ' +
      '`next_cursor` continues the search. Requests of the other mode (live or test) are not shown.',
    scope: 'logs:read',
    query: requestLogQuerySchema,
    operation: analyticsOperations.listRequests,
    input: ({ query: { since, until, ...query } }) => ({
      ...query,
      ...(since && { since: since.toISOString() }),
      ...(until && { until: until.toISOString() }),
    }),
    example: {
      response: {
        logs: [
          {
            id: encodeId('log', '01938a3c-b0a3-7d44-8e55-66f77a88b990'),
            method: 'POST',
            path: '/v1/upload',
            status: 201,
            auth_type: 'api_key',
            key_name: 'production',
            duration_ms: 14.2,
            request_id: '6f1c2d3e-4b5a-4c6d-8e7f-901a2b3c4d5e',
            created_at: '2026-11-21 09:30:08',
          },
        ],
        next_cursor: null,
      },
    },
  }),
];

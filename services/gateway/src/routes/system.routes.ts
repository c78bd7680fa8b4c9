// What operators and readers of the documentation ask for; no credentials.
import { z } from 'zod';
import { docsAsset, docsAssetNames, docsPage } from '../openapi/docs-page.js';
import { Reply } from './reply.js';
import { publicRoute } from './route.js';

const livenessSchema = z.object({ status: z.literal('ok') });

const readinessSchema = z.object({
  ready: z.boolean(),
  state: z.enum(['starting', 'ready', 'stopping']),
  checks: z.record(z.string(), z.string()).meta({ description: 'ok, or what is wrong, for each part' }),
});

export const systemRoutes = [
  publicRoute({
    name: 'getLiveness',
    method: 'GET',
    path: '/livez',
    tag: 'System',
    summary: 'Tell that the process turns',
    handler: () => ({ status: 'ok' as const }),
    response: livenessSchema,
    success: 200,
    example: { response: { status: 'ok' } },
  }),
  publicRoute({
    name: 'getReadiness',
    method: 'GET',
    path: '/readyz',
    tag: 'System',
    summary: 'Tell whether requests can be served',
    description:
      'Answers 503 with the same body while the gateway can serve nothing: the database or the bus does not answer. The object store ' +
      'and Redis are reported, not needed.',
    handler: async (_request, { readiness }) => {
      const body = await readiness();
      return new Reply({ status: body.ready ? 200 : 503, json: body, headers: { 'Cache-Control': 'no-store' } });
    },
    response: readinessSchema,
    success: 200,
    example: { response: { ready: true, state: 'ready', checks: { bus: 'ok', database: 'ok', object_store: 'ok' } } },
  }),
  publicRoute({
    name: 'getOpenApi',
    method: 'GET',
    path: '/openapi.json',
    tag: 'System',
    summary: 'This document',
    handler: (_request, { openApi }) => new Reply({ json: openApi() }),
    response: z.looseObject({ openapi: z.string() }),
    success: 200,
    example: { response: { openapi: '3.1.0' } },
  }),
  publicRoute({
    name: 'getDocs',
    method: 'GET',
    path: '/docs',
    tag: 'System',
    summary: 'The documentation, to read and to try out',
    handler: () => docsPage(),
    response: z.string(),
    mediaType: 'text/html',
    success: 200,
    example: {},
  }),
  publicRoute({
    name: 'getDocsAsset',
    method: 'GET',
    path: '/docs/:asset',
    tag: 'System',
    summary: 'A script or style of the documentation page',
    params: z.object({ asset: z.enum(docsAssetNames) }),
    handler: ({ params }) => docsAsset(params.asset),
    response: z.string(),
    mediaType: 'text/plain',
    success: 200,
    example: {},
  }),
];

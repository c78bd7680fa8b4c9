// Routes for operators and readers of the documentation, without credentials.
import { z } from 'zod';
import { docsAsset, docsAssetNames, docsPage } from '../openapi/docs-page.view.js';
import { Reply } from './reply.domain.js';
import { publicRoute } from './kinds.route.js';

const system = { method: 'GET', tag: 'System' } as const;

const livenessSchema = z.object({ status: z.literal('ok') });

const readinessSchema = z.object({
  ready: z.boolean(),
  state: z.enum(['starting', 'ready', 'stopping']),
  checks: z
    .record(z.string(), z.string())
    .meta({ description: 'The state of each dependency: `ok`, or a description of the fault.' }),
});

export const systemRoutes = [
  publicRoute({
    name: 'getLiveness',
    ...system,
    path: '/livez',
    summary: 'Check that the process is alive.',
    handler: () => ({ status: 'ok' as const }),
    response: livenessSchema,
    example: { response: { status: 'ok' } },
  }),
  publicRoute({
    name: 'getReadiness',
    ...system,
    path: '/readyz',
    summary: 'Check that requests can be served.',
    description:
      'Returns 503 with the same body if the database or the message bus does not respond. The object store, ' +
      'Redis and the streams of events are reported but not required.',
    handler: async (_request, { readiness }) => {
      const body = await readiness();
      return new Reply({ status: body.ready ? 200 : 503, json: body, headers: { 'Cache-Control': 'no-store' } });
    },
    response: readinessSchema,
    example: {
      response: {
        ready: true,
        state: 'ready',
        checks: { bus: 'ok', database: 'ok', events: 'ok', object_store: 'ok' },
      },
    },
  }),
  publicRoute({
    name: 'getOpenApi',
    ...system,
    path: '/openapi.json',
    summary: 'Get the OpenAPI document.',
    handler: (_request, { openApiDocument }) => new Reply({ json: openApiDocument }),
    response: z.looseObject({ openapi: z.string() }),
    example: { response: { openapi: '3.1.0' } },
  }),
  publicRoute({
    name: 'getDocs',
    ...system,
    path: '/docs',
    summary: 'Get the API documentation page.',
    handler: () => docsPage(),
    response: z.string(),
    mediaType: 'text/html',
    example: {},
  }),
  publicRoute({
    name: 'getDocsAsset',
    ...system,
    path: '/docs/:asset',
    summary: 'Get an asset of the documentation page.',
    params: z.object({ asset: z.enum(docsAssetNames) }),
    handler: ({ params }) => docsAsset(params.asset),
    response: z.string(),
    mediaType: 'text/plain',
    example: {},
  }),
];

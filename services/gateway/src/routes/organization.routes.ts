import { jobsOperations, meSchema, routingRulesSchema, settingsChangesSchema, usageSchema } from '@kiln/contracts';
import { getUsage } from '../quota/usage.handler.js';
import { exampleIds } from './examples.js';
import { handlerRoute, operationRoute } from './route.js';

const exampleSettings = {
  default_embedding_model: 'text-embedding-3-small',
  default_chunking: { strategy: 'recursive' as const, chunk_size: 1000, chunk_overlap: 200 },
  default_variants: ['markdown' as const, 'embeddings' as const, 'metadata' as const, 'searchable-index' as const],
};

const exampleRules = {
  rules: [
    { content_type: 'image/*', provider: 'image_extractor' as const },
    { content_type: 'image/svg+xml', provider: 'document_extractor' as const },
  ],
};

export const organizationRoutes = [
  handlerRoute({
    name: 'getMe',
    method: 'GET',
    path: '/v1/me',
    tag: 'Organization',
    summary: 'Tell who the credentials stand for',
    scope: null,
    handler: ({ caller }) => ({
      org_id: caller.organizationId,
      auth_type: caller.authType,
      key_name: caller.keyName,
      scopes: [...caller.scopes],
    }),
    response: meSchema,
    success: 200,
    example: {
      response: {
        org_id: exampleIds.organization,
        auth_type: 'api_key',
        key_name: 'bootstrap',
        scopes: ['*'],
      },
    },
  }),
  operationRoute({
    name: 'getSettings',
    method: 'GET',
    path: '/v1/org/settings',
    tag: 'Organization',
    summary: 'Tell what files are processed with where a request does not say',
    scope: 'org:read',
    ofOrganization: true,
    operation: jobsOperations.getSettings,
    input: () => ({}),
    success: 200,
    example: { response: exampleSettings },
  }),
  operationRoute({
    name: 'updateSettings',
    method: 'PUT',
    path: '/v1/org/settings',
    tag: 'Organization',
    summary: 'Change the settings of the organization',
    description:
      'What is left out stays as it is; `default_chunking` is replaced as a whole. Jobs that exist keep what they were made with.',
    scope: 'org:write',
    ofOrganization: true,
    body: settingsChangesSchema,
    operation: jobsOperations.updateSettings,
    input: ({ body }) => body,
    success: 200,
    example: {
      request: { default_variants: ['markdown'] },
      response: { ...exampleSettings, default_variants: ['markdown'] },
    },
  }),
  operationRoute({
    name: 'getRoutingRules',
    method: 'GET',
    path: '/v1/org/routing-rules',
    tag: 'Organization',
    summary: 'List the rules that say which provider a content type goes to',
    scope: 'org:read',
    ofOrganization: true,
    operation: jobsOperations.getRoutingRules,
    input: () => ({}),
    success: 200,
    example: { response: exampleRules },
  }),
  operationRoute({
    name: 'setRoutingRules',
    method: 'PUT',
    path: '/v1/org/routing-rules',
    tag: 'Organization',
    summary: 'Replace all routing rules',
    description:
      'A rule overrides the default provider of a content type, and is overridden by the `provider` of a request. An exact ' +
      'type wins over wildcards, a longer wildcard over a shorter one.',
    scope: 'org:write',
    ofOrganization: true,
    body: routingRulesSchema,
    operation: jobsOperations.setRoutingRules,
    input: ({ body }) => body,
    success: 200,
    example: { request: exampleRules, response: exampleRules },
  }),
  handlerRoute({
    name: 'getUsage',
    method: 'GET',
    path: '/v1/org/usage',
    tag: 'Organization',
    summary: 'Tell how many pages were used this month',
    description:
      'A page is a page of a PDF or DOCX, a slide of a PPTX, an image, a started minute of audio, or 3,000 started characters ' +
      'of any other document. It counts when its job completes, each time a file is processed. Work in test mode does not count.',
    scope: 'org:read',
    ofOrganization: true,
    handler: getUsage,
    response: usageSchema,
    success: 200,
    example: {
      response: { period: '2026-11', pages_used: 50_120.6, pages_limit: 50_000, plan: 'pro', overage_pages: 120.6 },
    },
  }),
];

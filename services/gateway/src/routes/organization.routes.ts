import {
  brandingChangesSchema,
  brandingSchema,
  capabilitiesSchema,
  jobsOperations,
  meSchema,
  portalSettingsChangesSchema,
  portalSettingsSchema,
  routingRulesSchema,
  settingsChangesSchema,
  usageSchema,
} from '@kiln/contracts';
import { getCapabilities } from '../capabilities/capabilities.handler.js';
import { getUsage } from '../quota/usage.handler.js';
import { exampleBranding, exampleIds } from './shared.examples.js';
import { handlerRoute, operationRoute } from './kinds.route.js';

const reading = { method: 'GET', tag: 'Organization', scope: 'org:read', ofOrganization: true } as const;
const writing = { method: 'PUT', tag: 'Organization', scope: 'org:write', ofOrganization: true } as const;

const exampleSettings = {
  default_embedding_model: 'text-embedding-3-small',
  default_chunking: { strategy: 'recursive' as const, chunk_size: 1000, chunk_overlap: 200 },
  default_variants: ['markdown' as const, 'embeddings' as const, 'metadata' as const, 'searchable-index' as const],
  search_language: 'english' as const,
  answer_instructions: null,
};

const exampleRules = {
  rules: [
    { content_type: 'image/*', provider: 'image_extractor' as const },
    { content_type: 'image/svg+xml', provider: 'document_extractor' as const },
  ],
};

const examplePortalSettings = { frame_ancestors: ['https://app.example.com'] };

export const organizationRoutes = [
  handlerRoute({
    name: 'getMe',
    method: 'GET',
    path: '/v1/me',
    tag: 'Organization',
    summary: 'Get the current identity.',
    scope: null,
    handler: ({ caller }) => ({
      org_id: caller.organizationId,
      auth_type: caller.authType,
      key_name: caller.keyName,
      scopes: [...caller.scopes],
    }),
    response: meSchema,
    example: {
      response: {
        org_id: exampleIds.organization,
        auth_type: 'api_key',
        key_name: 'bootstrap',
        scopes: ['*'],
      },
    },
  }),
  handlerRoute({
    name: 'getCapabilities',
    method: 'GET',
    path: '/v1/capabilities',
    tag: 'Organization',
    summary: 'Get what this installation can do.',
    description:
      'Which engines and models are set up, by the operator or with a key of the organization. A key for test data uses local engines only.',
    scope: null,
    handler: getCapabilities,
    response: capabilitiesSchema,
    example: {
      response: {
        documents: true,
        images: true,
        audio: false,
        embeddings: true,
        reranking: false,
        chat_models: ['gpt-5-mini'],
      },
    },
  }),
  operationRoute({
    name: 'getSettings',
    ...reading,
    path: '/v1/org/settings',
    summary: 'Get the settings of the organization.',
    operation: jobsOperations.getSettings,
    example: { response: exampleSettings },
  }),
  operationRoute({
    name: 'updateSettings',
    ...writing,
    path: '/v1/org/settings',
    summary: 'Update the settings of the organization.',
    description:
      'Omitted fields keep their values. `default_chunking` is replaced as a whole; its omitted fields get their standard values. Existing jobs keep the defaults they were created with. `search_language` applies to files that are indexed from now on, and `answer_instructions` to answers after ten seconds.',
    body: settingsChangesSchema,
    operation: jobsOperations.updateSettings,
    example: {
      request: { default_variants: ['markdown'] },
      response: { ...exampleSettings, default_variants: ['markdown'] },
    },
  }),
  operationRoute({
    name: 'getRoutingRules',
    ...reading,
    path: '/v1/org/routing-rules',
    summary: 'List routing rules.',
    operation: jobsOperations.getRoutingRules,
    example: { response: exampleRules },
  }),
  operationRoute({
    name: 'setRoutingRules',
    ...writing,
    path: '/v1/org/routing-rules',
    summary: 'Replace all routing rules.',
    description:
      'A rule overrides the default provider of a content type. The `provider` of a request overrides the rule. ' +
      'An exact type takes precedence over a wildcard, and a longer wildcard over a shorter one.',
    body: routingRulesSchema,
    operation: jobsOperations.setRoutingRules,
    example: { request: exampleRules, response: exampleRules },
  }),
  handlerRoute({
    name: 'getBranding',
    ...reading,
    path: '/v1/org/branding',
    summary: 'Get the branding of the portal.',
    handler: ({ caller }, { portalSettings }) => portalSettings.findBranding(caller.organizationId),
    response: brandingSchema,
    example: { response: exampleBranding },
  }),
  handlerRoute({
    name: 'updateBranding',
    ...writing,
    path: '/v1/org/branding',
    summary: 'Update the branding of the portal.',
    description: 'Omitted fields keep their values, and null removes a value.',
    body: brandingChangesSchema,
    handler: ({ caller, body }, { portalSettings }) => portalSettings.updateBranding(caller.organizationId, body),
    response: brandingSchema,
    example: { request: { color: exampleBranding.color }, response: exampleBranding },
  }),
  handlerRoute({
    name: 'getPortalSettings',
    ...reading,
    path: '/v1/org/portal',
    summary: 'Get the settings of the portal.',
    handler: ({ caller }, { portalSettings }) => portalSettings.find(caller.organizationId),
    response: portalSettingsSchema,
    example: { response: examplePortalSettings },
  }),
  handlerRoute({
    name: 'updatePortalSettings',
    ...writing,
    path: '/v1/org/portal',
    summary: 'Update the settings of the portal.',
    description:
      'Omitted fields keep their values, and a list replaces the former one. A change applies after five seconds at the latest.',
    body: portalSettingsChangesSchema,
    handler: ({ caller, body }, { portalSettings }) => portalSettings.update(caller.organizationId, body),
    response: portalSettingsSchema,
    example: { request: examplePortalSettings, response: examplePortalSettings },
  }),
  handlerRoute({
    name: 'getUsage',
    ...reading,
    path: '/v1/org/usage',
    summary: 'Get the page usage of the month.',
    description:
      'A page is a page of a PDF or DOCX file, a slide of a PPTX file, an image, a started minute of audio, or ' +
      'a started block of 3,000 characters of any other document. Pages count when a job completes, each time a ' +
      'file is processed. Test mode does not count.',
    handler: getUsage,
    response: usageSchema,
    example: {
      response: { period: '2026-11', pages_used: 50_120.6, pages_limit: 50_000, plan: 'pro', overage_pages: 120.6 },
    },
  }),
];

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
import { getBranding, updateBranding } from '../branding/branding.handler.js';
import { getCapabilities } from '../capabilities/capabilities.handler.js';
import { getPortalSettings, updatePortalSettings } from '../portal/portal-settings.handler.js';
import { getUsage } from '../quota/usage.handler.js';
import { exampleBranding, exampleIds } from './shared.examples.js';
import { handlerRoute, operationRoute } from './kinds.route.js';

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
    method: 'GET',
    path: '/v1/org/settings',
    tag: 'Organization',
    summary: 'Get the settings of the organization.',
    scope: 'org:read',
    ofOrganization: true,
    operation: jobsOperations.getSettings,
    example: { response: exampleSettings },
  }),
  operationRoute({
    name: 'updateSettings',
    method: 'PUT',
    path: '/v1/org/settings',
    tag: 'Organization',
    summary: 'Update the settings of the organization.',
    description:
      'Omitted fields keep their values. `default_chunking` is replaced as a whole; its omitted fields get their standard values. Existing jobs keep the defaults they were created with. `search_language` applies to files that are indexed from now on, and `answer_instructions` to answers after ten seconds.',
    scope: 'org:write',
    ofOrganization: true,
    body: settingsChangesSchema,
    operation: jobsOperations.updateSettings,
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
    summary: 'List routing rules.',
    scope: 'org:read',
    ofOrganization: true,
    operation: jobsOperations.getRoutingRules,
    example: { response: exampleRules },
  }),
  operationRoute({
    name: 'setRoutingRules',
    method: 'PUT',
    path: '/v1/org/routing-rules',
    tag: 'Organization',
    summary: 'Replace all routing rules.',
    description:
      'A rule overrides the default provider of a content type. The `provider` of a request overrides the rule. ' +
      'An exact type takes precedence over a wildcard, and a longer wildcard over a shorter one.',
    scope: 'org:write',
    ofOrganization: true,
    body: routingRulesSchema,
    operation: jobsOperations.setRoutingRules,
    example: { request: exampleRules, response: exampleRules },
  }),
  handlerRoute({
    name: 'getBranding',
    method: 'GET',
    path: '/v1/org/branding',
    tag: 'Organization',
    summary: 'Get the branding of the portal.',
    scope: 'org:read',
    ofOrganization: true,
    handler: getBranding,
    response: brandingSchema,
    example: { response: exampleBranding },
  }),
  handlerRoute({
    name: 'updateBranding',
    method: 'PUT',
    path: '/v1/org/branding',
    tag: 'Organization',
    summary: 'Update the branding of the portal.',
    description: 'Omitted fields keep their values, and null removes a value.',
    scope: 'org:write',
    ofOrganization: true,
    body: brandingChangesSchema,
    handler: updateBranding,
    response: brandingSchema,
    example: { request: { color: exampleBranding.color }, response: exampleBranding },
  }),
  handlerRoute({
    name: 'getPortalSettings',
    method: 'GET',
    path: '/v1/org/portal',
    tag: 'Organization',
    summary: 'Get the settings of the portal.',
    scope: 'org:read',
    ofOrganization: true,
    handler: getPortalSettings,
    response: portalSettingsSchema,
    example: { response: examplePortalSettings },
  }),
  handlerRoute({
    name: 'updatePortalSettings',
    method: 'PUT',
    path: '/v1/org/portal',
    tag: 'Organization',
    summary: 'Update the settings of the portal.',
    description:
      'Omitted fields keep their values, and a list replaces the former one. A change applies after five seconds at the latest.',
    scope: 'org:write',
    ofOrganization: true,
    body: portalSettingsChangesSchema,
    handler: updatePortalSettings,
    response: portalSettingsSchema,
    example: { request: examplePortalSettings, response: examplePortalSettings },
  }),
  handlerRoute({
    name: 'getUsage',
    method: 'GET',
    path: '/v1/org/usage',
    tag: 'Organization',
    summary: 'Get the page usage of the month.',
    description:
      'A page is a page of a PDF or DOCX file, a slide of a PPTX file, an image, a started minute of audio, or ' +
      'a started block of 3,000 characters of any other document. Pages count when a job completes, each time a ' +
      'file is processed. Test mode does not count.',
    scope: 'org:read',
    ofOrganization: true,
    handler: getUsage,
    response: usageSchema,
    example: {
      response: { period: '2026-11', pages_used: 50_120.6, pages_limit: 50_000, plan: 'pro', overage_pages: 120.6 },
    },
  }),
];

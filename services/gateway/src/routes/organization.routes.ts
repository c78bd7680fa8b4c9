import { jobsOperations, meSchema, routingRulesSchema } from '@kiln/contracts';
import { exampleIds } from './examples.js';
import { handlerRoute, operationRoute } from './route.js';

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
];

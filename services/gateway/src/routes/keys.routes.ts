import {
  apiKeyListSchema,
  apiKeyQuerySchema,
  createdApiKeySchema,
  deletedSchema,
  idSchema,
  newApiKeySchema,
} from '@kiln/contracts';
import { z } from 'zod';
import { createApiKey, deleteApiKey, listApiKeys } from '../keys/api-keys.handler.js';
import { exampleApiKey } from './shared.examples.js';
import { handlerRoute } from './kinds.route.js';

const { last_used_at: _lastUsedAt, ...exampleCreatedKey } = exampleApiKey;

const ofKeys = { tag: 'API keys', ofOrganization: true } as const;

export const keysRoutes = [
  handlerRoute({
    name: 'createApiKey',
    ...ofKeys,
    method: 'POST',
    path: '/v1/org/api-keys',
    summary: 'Create an API key.',
    description:
      'The secret is returned once. A key cannot grant scopes that it does not have or create a key that outlives it, ' +
      'and a test key cannot create a live key. An organization has at most 500 keys that are valid (409).',
    scope: 'keys:write',
    checksMode: true,
    body: newApiKeySchema,
    handler: createApiKey,
    response: createdApiKeySchema,
    secret: true,
    success: 201,
    errors: ['CONFLICT'],
    example: {
      request: { name: 'Nightly import', scopes: ['files:read', 'files:write'], expires_at: '2027-11-21' },
      response: { ...exampleCreatedKey, key: `${exampleApiKey.prefix}…` },
    },
  }),
  handlerRoute({
    name: 'listApiKeys',
    ...ofKeys,
    method: 'GET',
    path: '/v1/org/api-keys',
    summary: 'List API keys.',
    description: 'Returns live and test keys, newest first. Revoked keys are not listed.',
    scope: 'keys:read',
    query: apiKeyQuerySchema,
    handler: listApiKeys,
    response: apiKeyListSchema,
    example: { response: { api_keys: [exampleApiKey], next_cursor: null } },
  }),
  handlerRoute({
    name: 'deleteApiKey',
    ...ofKeys,
    method: 'DELETE',
    path: '/v1/org/api-keys/:id',
    summary: 'Revoke an API key.',
    description:
      'Takes effect immediately and cannot be undone. A key can revoke itself. A test key cannot revoke a live key.',
    scope: 'keys:write',
    checksMode: true,
    params: z.object({ id: idSchema('key') }),
    handler: deleteApiKey,
    response: deletedSchema,
    example: { response: { deleted: true } },
  }),
];

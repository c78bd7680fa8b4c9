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
import { exampleApiKey } from './examples.js';
import { handlerRoute } from './route.js';

const { last_used_at: _lastUsedAt, ...exampleCreatedKey } = exampleApiKey;

export const keysRoutes = [
  handlerRoute({
    name: 'createApiKey',
    method: 'POST',
    path: '/v1/org/api-keys',
    tag: 'API keys',
    summary: 'Make an API key',
    description:
      'The value is told in this answer and never again. A key can not give scopes that it lacks, and a test key can not ' +
      'make a live one.',
    scope: 'keys:write',
    body: newApiKeySchema,
    handler: createApiKey,
    response: createdApiKeySchema,
    secret: true,
    success: 201,
    example: {
      request: { name: 'Nightly import', scopes: ['files:read', 'files:write'], expires_at: '2027-11-21' },
      response: { ...exampleCreatedKey, key: `${exampleApiKey.prefix}…` },
    },
  }),
  handlerRoute({
    name: 'listApiKeys',
    method: 'GET',
    path: '/v1/org/api-keys',
    tag: 'API keys',
    summary: "List the organization's API keys",
    description: 'Live and test keys, newest first; revoked ones are left out.',
    scope: 'keys:read',
    query: apiKeyQuerySchema,
    handler: listApiKeys,
    response: apiKeyListSchema,
    success: 200,
    example: { response: { api_keys: [exampleApiKey], next_cursor: null } },
  }),
  handlerRoute({
    name: 'deleteApiKey',
    method: 'DELETE',
    path: '/v1/org/api-keys/:id',
    tag: 'API keys',
    summary: 'Revoke an API key, at once and for good',
    description: 'A key may revoke itself. A test key can not revoke a live one.',
    scope: 'keys:write',
    params: z.object({ id: idSchema('key') }),
    handler: deleteApiKey,
    response: deletedSchema,
    success: 200,
    example: { response: { deleted: true } },
  }),
];

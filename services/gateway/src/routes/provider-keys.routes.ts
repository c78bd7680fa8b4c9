import {
  jobsOperations,
  KEY_TEST_TIMEOUT_MS,
  keyedProviderSchema,
  keyTestSchema,
  newProviderKeySchema,
  previewOf,
} from '@kiln/contracts';
import { z } from 'zod';
import { testProviderKey } from '../provider-keys/test-provider-key.handler.js';
import { handlerRoute, operationRoute } from './kinds.route.js';

const writing = { tag: 'Provider keys', scope: 'org:write', ofOrganization: true } as const;

const exampleKey = 'sk-MfKQ9r8GKYqrTwjUPD8I';
const exampleProviderKey = {
  provider: 'document_extractor' as const,
  key_preview: previewOf(exampleKey),
  url: null,
  created_at: '2026-11-20 16:00:00',
  updated_at: '2026-11-20 16:00:00',
};

export const providerKeysRoutes = [
  operationRoute({
    name: 'listProviderKeys',
    method: 'GET',
    path: '/v1/org/provider-keys',
    tag: 'Provider keys',
    summary: 'List provider keys.',
    description: 'Shows only the last four characters of each key.',
    scope: 'org:read',
    ofOrganization: true,
    operation: jobsOperations.listProviderKeys,
    example: { response: { provider_keys: [exampleProviderKey] } },
  }),
  operationRoute({
    name: 'setProviderKey',
    ...writing,
    method: 'PUT',
    path: '/v1/org/provider-keys',
    summary: 'Set a provider key.',
    description:
      'Calls to the provider use this key from now on. It replaces an earlier key, is encrypted at rest, and is ' +
      'never returned. Pages processed with it count at 60 %. Test mode does not use it. With a `url`, files are sent ' +
      'to your own extractor there, and the key is the secret that signs the requests.',
    body: newProviderKeySchema,
    operation: jobsOperations.setProviderKey,
    example: { request: { provider: 'document_extractor', key: exampleKey }, response: exampleProviderKey },
  }),
  handlerRoute({
    name: 'testProviderKey',
    ...writing,
    method: 'POST',
    path: '/v1/org/provider-keys/:provider/test',
    summary: 'Test a provider key.',
    description:
      'Calls the provider once with the stored key: with a small file for extraction, with a few words for embeddings and chat. Your own extractor gets ' +
      'a signed request whose `callback_url` is null. The provider may charge for the call. `ok` is false, with a reason, if the provider refuses the key or ' +
      'does not answer within 30 seconds.',
    params: z.object({ provider: keyedProviderSchema }),
    response: keyTestSchema,
    handler: testProviderKey,
    errors: ['NOT_FOUND'],
    timeoutMs: KEY_TEST_TIMEOUT_MS + 2_000,
    example: { response: { ok: true, duration_ms: 412, error: null } },
  }),
  operationRoute({
    name: 'deleteProviderKey',
    ...writing,
    method: 'DELETE',
    path: '/v1/org/provider-keys/:provider',
    summary: 'Delete a provider key.',
    description: 'Attempts that start after this request use the managed key again.',
    params: z.object({ provider: keyedProviderSchema }),
    operation: jobsOperations.deleteProviderKey,
    errors: ['NOT_FOUND'],
    example: { response: { deleted: true } },
  }),
];

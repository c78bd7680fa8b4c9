// The actions on API keys, as calls of the API.
import type { Schemas } from '@kiln/sdk';
import type { ApiCall } from '../../../ui/api-call.js';

const PATH = '/v1/org/api-keys';

export const listCalls: readonly ApiCall[] = [
  { title: 'List the keys', scope: 'keys:read', method: 'GET', path: PATH, sdk: 'apiKeys.list', args: [] },
];

export const createCall = (body: Schemas['CreateApiKeyRequest']): ApiCall => ({
  title: 'Create',
  scope: 'keys:write',
  method: 'POST',
  path: PATH,
  body,
  sdk: 'apiKeys.create',
  args: [body],
});

export const revokeCall = (id: string): ApiCall => ({
  title: 'Revoke',
  scope: 'keys:write',
  method: 'DELETE',
  path: `${PATH}/${id}`,
  sdk: 'apiKeys.delete',
  args: [id],
});

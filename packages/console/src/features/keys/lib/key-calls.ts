// The actions on API keys, as calls of the API.
import type { Schemas } from '@kiln/sdk';
import { callsWith, type ApiCall } from '../../../ui/api-call.js';

const write = callsWith('keys:write');

export const listCalls: readonly ApiCall[] = [callsWith('keys:read')('List the keys', 'apiKeys.list')];

export const createCall = (body: Schemas['CreateApiKeyRequest']): ApiCall => write('Create', 'apiKeys.create', body);

export const revokeCall = (id: string): ApiCall => write('Revoke', 'apiKeys.delete', id);

import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { publicErrorCodes } from '../core/errors.js';

/** Every scope of a key. `*` means all. */
export const scopes = [
  'files:read',
  'files:write',
  'jobs:read',
  'jobs:write',
  'connections:read',
  'connections:write',
  'webhooks:read',
  'webhooks:write',
  'search:read',
  'analytics:read',
  'org:read',
  'org:write',
  'keys:read',
  'keys:write',
  'portal:write',
  'logs:read',
  '*',
] as const;

export type Scope = (typeof scopes)[number];

export const meSchema = z.object({
  org_id: idSchema('organization'),
  auth_type: z.enum(['api_key', 'jwt']),
  key_name: z.string(),
  scopes: z.array(z.enum(scopes)),
});

export const errorBodySchema = z.object({
  error: z.string().meta({ description: 'The problem, and how to solve it.' }),
  code: z.enum(publicErrorCodes),
  requestId: z.string(),
});

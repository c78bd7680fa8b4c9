import { z } from 'zod';
import { event } from '../core/event.js';
import { idSchema } from '../core/ids.js';

/** The maximum number of entries of one event, which keeps it below the message size limit. */
export const LOGGED_REQUESTS_MAX = 250;

/** One request of a known caller, including a 401 of a revoked or expired key. */
export const loggedRequestSchema = z.object({
  id: idSchema('log'),
  request_id: z.string(),
  method: z.string(),
  path: z.string().meta({ description: 'without the query; at most 1,024 characters' }),
  status: z.int().meta({ description: '499: the caller disconnected before the response' }),
  auth_type: z.enum(['api_key', 'jwt']),
  key_name: z.string(),
  duration_ms: z.number().min(0),
  created_at: z.iso.datetime(),
});

export type LoggedRequest = z.output<typeof loggedRequestSchema>;

export const gatewayEvents = {
  /** Requests of one tenant since the last such event. Entries can be lost, but are never repeated under a new id. */
  requestsLogged: event({
    type: 'api.request.logged',
    owner: 'gateway',
    data: z.object({ requests: z.array(loggedRequestSchema).min(1).max(LOGGED_REQUESTS_MAX) }),
  }),
};

import { z } from 'zod';
import { event } from '../core/event.js';
import { idSchema } from '../core/ids.js';

/** The most entries of one event: together they stay well under the size of a message. */
export const LOGGED_REQUESTS_MAX = 250;

/** One request of a known caller, 401s of a revoked or expired key included. */
export const loggedRequestSchema = z.object({
  id: idSchema('log'),
  request_id: z.string(),
  method: z.string(),
  path: z.string().meta({ description: 'without the query; at most 1,024 characters' }),
  status: z.int(),
  auth_type: z.enum(['api_key', 'jwt']),
  key_name: z.string(),
  duration_ms: z.number().min(0),
  created_at: z.iso.datetime(),
});

export type LoggedRequest = z.output<typeof loggedRequestSchema>;

export const gatewayEvents = {
  /** Requests of one tenant since the last such event. Entries may be lost, never doubled under a new id. */
  requestsLogged: event({
    type: 'api.request.logged',
    owner: 'gateway',
    data: z.object({ requests: z.array(loggedRequestSchema).min(1).max(LOGGED_REQUESTS_MAX) }),
  }),
};

// The request log: one entry for each request with an API key or a bearer token.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { queryNumberSchema } from '../core/query-numbers.js';
import { timestampSchema } from '../core/timestamps.js';
import { LABEL_LENGTH_MAX } from '../gateway/api-keys.js';
import { requestTimeSchema } from '../gateway/request-time.js';

/** Entries are kept for so many days. */
export const REQUEST_LOG_DAYS = 7;

const PATH_LENGTH_MAX = 1_024;
const METHOD_LENGTH_MAX = 64;
const REQUEST_ID_LENGTH_MAX = 128;
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'] as const;
const authTypes = ['api_key', 'jwt'] as const;

export const loggedRequestViewSchema = z.object({
  id: idSchema('log'),
  method: z.string().max(METHOD_LENGTH_MAX),
  path: z
    .string()
    .max(PATH_LENGTH_MAX)
    .meta({ description: 'Without the query. A secret in the path is replaced by its name.' }),
  status: z.int().meta({ description: 'The HTTP status of the response.', examples: [200] }),
  auth_type: z.enum(authTypes),
  key_name: z
    .string()
    .max(LABEL_LENGTH_MAX)
    .meta({ description: 'The name of the API key, or the subject of the bearer token.' }),
  duration_ms: z.number(),
  request_id: z.string().max(REQUEST_ID_LENGTH_MAX).meta({ description: 'The `X-Request-Id` of the response.' }),
  created_at: timestampSchema,
});

const filters = {
  method: z.enum(methods, { error: `must be one of ${methods.join(', ')}` }).optional(),
  status: queryNumberSchema(100, 599).optional(),
  path: z
    .string()
    .max(PATH_LENGTH_MAX, { error: `must be at most ${PATH_LENGTH_MAX} characters` })
    .regex(/^\/[\x21-\x7e]*$/, { error: 'must be the beginning of a path, such as /v1/files' })
    .optional()
    .meta({ description: 'The beginning of the path.', examples: ['/v1/files'] }),
  auth_type: z.enum(authTypes, { error: `must be one of ${authTypes.join(', ')}` }).optional(),
  key_name: z
    .string()
    .min(1, { error: 'must not be empty' })
    .max(LABEL_LENGTH_MAX, { error: `must be at most ${LABEL_LENGTH_MAX} characters` })
    .refine((name) => name.isWellFormed() && !name.includes('\0'), { error: 'must be well-formed Unicode without NUL' })
    .optional()
    .meta({ description: 'The exact name of the API key, or subject of the bearer token.', examples: ['production'] }),
};

const page = { limit: limitSchema(50), cursor: cursorSchema };

/** The query of `GET /v1/api-logs`. */
export const requestLogQuerySchema = z.object({
  ...filters,
  since: requestTimeSchema.optional().meta({ description: 'Only requests at or after this time.' }),
  until: requestTimeSchema.optional().meta({ description: 'Only requests before this time.' }),
  ...page,
});

export const requestLogOperations = {
  listRequests: operation({
    subject: 'analytics.listRequests.v1',
    input: z.object({
      ...filters,
      since: z.iso.datetime().optional(),
      until: z.iso.datetime().optional(),
      ...page,
    }),
    output: z.object({ logs: z.array(loggedRequestViewSchema), next_cursor: nextCursorSchema }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
};

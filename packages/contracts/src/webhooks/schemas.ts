// Webhooks and their secrets, as the API accepts and returns them.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { cursorSchema, LIMIT_MAX } from '../core/pagination.js';
import { queryNumberSchema } from '../core/query-numbers.js';
import { plainTextSchema } from '../core/text.js';
import { recordSchema } from '../core/record.js';
import { timestampSchema } from '../core/timestamps.js';
import { SPACE_LENGTH_MAX, spaceSchema } from '../files/schemas.js';
import { LABEL_LENGTH_MAX, labelSchema } from '../gateway/api-keys.js';
import { DELIVERY_ERROR_LENGTH_MAX } from './delivery-schemas.js';
import { subscriptions, webhookDisabledReasons } from './event-types.js';

const URL_LENGTH_MAX = 2_048;
const HEADERS_MAX = 20;
const HEADER_NAME_LENGTH_MAX = 64;
const HEADER_VALUE_LENGTH_MAX = 1_024;
const GRACE_SECONDS_MAX = 604_800;

/** https://www.rfc-editor.org/rfc/rfc9110#name-tokens */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
const HEADER_VALUE = /^[\x20-\x7e]*$/;
/** Headers set by Kiln or by HTTP. */
const RESERVED_HEADER =
  /^(webhook-.*|kiln-.*|host|content-.*|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|user-agent|proxy-.*)$/i;

/** The URL as requested. Non-ASCII characters are percent-encoded, which takes up to nine times as many characters. */
const CALLED_URL = /^[\x21\x23-\x5b\x5d-\x7e]*$/;

/** An event is written once for each webhook that receives it. */
export const WEBHOOKS_MAX = 1_000;
const WEBHOOK_SPACES_MAX = 100;

export const webhookUrlSchema = z
  .string()
  .max(URL_LENGTH_MAX, { error: `must be at most ${URL_LENGTH_MAX} characters` })
  .refine((text) => URL.canParse(text), { error: 'must be a URL such as https://example.com/hooks' })
  .refine((text) => !URL.canParse(text) || new URL(text).href.length <= URL_LENGTH_MAX, {
    error: `must be at most ${URL_LENGTH_MAX} characters when it is encoded`,
  })
  .meta({ examples: ['https://example.com/hooks/kiln'] });

export const subscribedEventsSchema = z
  .array(z.enum(subscriptions, { error: `must be one of ${subscriptions.join(', ')}` }))
  .min(1, { error: 'must name at least one event type, or *' })
  .max(100)
  .transform((named) => [...new Set(named)]);

export const webhookSpacesSchema = z
  .array(spaceSchema)
  .min(1, { error: 'must name at least one space; null is all spaces' })
  .max(WEBHOOK_SPACES_MAX, { error: `must name at most ${WEBHOOK_SPACES_MAX} spaces` })
  .transform((named) => [...new Set(named)])
  .nullable()
  .meta({
    description:
      'Only events about files of these spaces; no events of connections, and no `job.failed`. Null: all events.',
  });

export const customHeadersSchema = recordSchema(
  z
    .string()
    .regex(HEADER_NAME, { error: 'must be the name of a header' })
    .refine((name) => !RESERVED_HEADER.test(name), { error: 'is a header that Kiln sets itself' }),
  z
    .string()
    .max(HEADER_VALUE_LENGTH_MAX, { error: `must be at most ${HEADER_VALUE_LENGTH_MAX} characters` })
    .regex(HEADER_VALUE, { error: 'must be printable ASCII' }),
)
  .refine((headers) => Object.keys(headers).length <= HEADERS_MAX, { error: `must be at most ${HEADERS_MAX} headers` })
  .superRefine((headers, context) => {
    const first = new Map<string, string>();
    for (const name of Object.keys(headers)) {
      const same = first.get(name.toLowerCase());
      if (same === undefined) first.set(name.toLowerCase(), name);
      else context.addIssue({ code: 'custom', path: [name], message: `is the same header as ${same}; give it once` });
    }
  })
  .meta({ description: 'Custom headers sent with every delivery. Their values are never returned.' });

export const newWebhookSchema = z.object({
  url: webhookUrlSchema,
  events: subscribedEventsSchema,
  spaces: webhookSpacesSchema.optional(),
  description: labelSchema.nullish(),
  headers: customHeadersSchema.default({}),
});

export const webhookChangesSchema = z.object({
  url: webhookUrlSchema.optional(),
  events: subscribedEventsSchema.optional(),
  spaces: webhookSpacesSchema.optional(),
  active: z.boolean().optional(),
  description: labelSchema.nullish(),
  headers: customHeadersSchema.optional(),
});

/** Without a limit a page has all webhooks: a client may not know of paging. */
export const webhookQuerySchema = z.object({
  limit: queryNumberSchema(1, LIMIT_MAX)
    .optional()
    .meta({
      description: `The number of webhooks of a page, from 1 to ${LIMIT_MAX}. Without it, a page holds all webhooks that fit into a response.`,
      examples: [100],
    }),
  cursor: cursorSchema,
});

export const webhookSchema = z.object({
  id: idSchema('webhook'),
  url: z.string().max(URL_LENGTH_MAX).regex(CALLED_URL),
  events: z.array(z.enum(subscriptions)).max(subscriptions.length),
  spaces: z.array(z.string().max(SPACE_LENGTH_MAX)).max(WEBHOOK_SPACES_MAX).nullable().default(null),
  active: z.boolean(),
  description: plainTextSchema(LABEL_LENGTH_MAX).nullable(),
  header_names: z
    .array(z.string().max(HEADER_NAME_LENGTH_MAX).regex(HEADER_NAME))
    .max(HEADERS_MAX)
    .meta({ description: 'The names of the custom headers.' }),
  failing_since: timestampSchema
    .nullable()
    .meta({ description: 'The time of the first failure since the last success.' }),
  last_error: plainTextSchema(DELIVERY_ERROR_LENGTH_MAX)
    .nullable()
    .meta({ description: 'Why the last attempt failed. Null after a success.' }),
  disabled_reason: z.enum(webhookDisabledReasons).nullable().meta({ description: 'Why Kiln disabled the webhook.' }),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});

const secretSchema = z.string().meta({
  description: '`whsec_` followed by 32 bytes in base64. It is returned only in this response.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
});

export const createdWebhookSchema = webhookSchema.extend({ secret: secretSchema });

const graceError = `must be whole seconds from 0 to ${GRACE_SECONDS_MAX}`;

export const rotateSecretSchema = z.object({
  grace_period_seconds: z
    .int({ error: graceError })
    .min(0, { error: graceError })
    .max(GRACE_SECONDS_MAX, { error: graceError })
    .default(0)
    .meta({
      description:
        'How long deliveries are signed with the old secret too, in seconds. Secrets of earlier rotations keep their own grace periods. ' +
        'With 0 all old secrets expire immediately.',
    }),
});

export const rotatedSecretSchema = z.object({
  id: idSchema('webhook'),
  secret: secretSchema,
  previous_secret_expires_at: timestampSchema.nullable(),
});

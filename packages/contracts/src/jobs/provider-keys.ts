// An organization's own keys for providers of extraction, embeddings and chat.
import { z } from 'zod';
import { operation } from '../core/operation.js';
import { timestampSchema } from '../core/timestamps.js';
import { extractionProviders } from '../files/schemas.js';

export const keyedProviders = [...extractionProviders, 'embedding', 'chat'] as const;
export const keyedProviderSchema = z.enum(keyedProviders);

export type KeyedProvider = z.output<typeof keyedProviderSchema>;

const PREVIEW_CHARACTERS = 4;

/** The only part of a key that is ever returned. */
export const previewOf = (key: string): string => `…${key.slice(-PREVIEW_CHARACTERS)}`;

/** As `openssl rand -base64 32` makes one, after `whsec_`: 24 to 64 bytes (Standard Webhooks 1.0). */
const SIGNING_SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
const URL_CHARACTERS_MAX = 2_048;

const newKeySchema = z.object({
  provider: keyedProviderSchema,
  /** Sent in a header, so only visible ASCII without spaces is allowed. The preview must be much shorter than the key. */
  key: z
    .string()
    .regex(/^[\x21-\x7e]{8,4096}$/, { error: 'must be 8 to 4,096 visible ASCII characters without spaces' })
    .meta({ examples: ['sk-MfKQ9r8GKYqrTwjUPD8I'] }),
  url: z
    .url({ protocol: /^https?$/ })
    .max(URL_CHARACTERS_MAX)
    .nullish()
    .meta({
      description:
        'The URL of your own extractor. Files are sent there, signed with `key`, which is then a secret of the form `whsec_…`. See docs/own-extractor.md.',
    }),
});

export const newProviderKeySchema = newKeySchema.superRefine(({ provider, key, url }, context) => {
  if (url === undefined || url === null) return;
  if (!extractionProviders.some((name) => name === provider))
    context.addIssue({ code: 'custom', path: ['url'], message: 'is only for the providers of extraction' });
  if (!SIGNING_SECRET.test(key))
    context.addIssue({
      code: 'custom',
      path: ['key'],
      message: 'must be whsec_ and 24 to 64 bytes in base64, where there is a url: the requests are signed with it',
    });
});

export const providerKeySchema = z.object({
  provider: keyedProviderSchema,
  key_preview: z
    .string()
    .max(PREVIEW_CHARACTERS + 1)
    .meta({ description: 'The last four characters of the key, after `…`.' }),
  url: z
    .url()
    .max(URL_CHARACTERS_MAX)
    .nullable()
    .meta({ description: 'Your own extractor. Null if the key is for the usual provider.' }),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});

export const keyTestErrors = ['provider_unauthorized', 'provider_unavailable', 'timeout'] as const;
const MESSAGE_CHARACTERS_MAX = 500;

/** The outcome of a test of a provider key. */
export const keyTestSchema = z.object({
  ok: z.boolean().meta({ description: 'Whether the provider accepted the key and answered.' }),
  duration_ms: z.int().min(0),
  error: z
    .object({ code: z.enum(keyTestErrors), message: z.string().max(MESSAGE_CHARACTERS_MAX) })
    .nullable()
    .meta({ description: 'Null if `ok` is true.' }),
});
export type KeyTest = z.output<typeof keyTestSchema>;

/** Each operation that tests a key ends within this time. */
export const KEY_TEST_TIMEOUT_MS = 30_000;

/** Called for the live tenant of the organization. No response contains a key in the clear. */
export const providerKeysOperations = {
  listProviderKeys: operation({
    subject: 'jobs.listProviderKeys.v1',
    input: z.object({}),
    output: z.object({ provider_keys: z.array(providerKeySchema).max(keyedProviders.length) }),
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /**
   * The key as it is stored: encrypted with KILN_ENCRYPTION_KEY for this organization and provider, so that the bus never carries a secret in
   * the clear. May be called for either tenant of the organization; that of test mode has no keys.
   */
  getSealedProviderKey: operation({
    subject: 'jobs.getSealedProviderKey.v1',
    input: z.object({ provider: keyedProviderSchema }),
    output: z.object({
      sealed: z.base64().nullable().meta({ description: 'null: the organization has no key, the managed one applies' }),
    }),
    errors: [],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** A name in the URL is resolved meanwhile. */
  setProviderKey: operation({
    subject: 'jobs.setProviderKey.v1',
    input: newProviderKeySchema,
    output: providerKeySchema,
    errors: [],
    timeoutMs: 8_000,
    idempotent: true,
  }),
  /** Not retried: a deleted key cannot be deleted again. */
  deleteProviderKey: operation({
    subject: 'jobs.deleteProviderKey.v1',
    input: z.object({ provider: keyedProviderSchema }),
    output: z.object({ deleted: z.literal(true) }),
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: false,
  }),
};

// Configuration of the gateway, read once in main.
import {
  checkStorageVariables,
  databaseVariables,
  encryptionVariables,
  loadConfig,
  outboundVariables,
  portVariable,
  processVariables,
  signedUrlVariables,
  storageVariables,
  uploadVariables,
} from '@kiln/platform';
import { z } from 'zod';
import { drainVariables } from './drain.config.js';
import { apiKeyPattern } from './keys/api-key.domain.js';
import { isPublicKey } from './auth/jwt-public-key.domain.js';
import { burstSchema, perSecondSchema, planRatesSchema } from './limits/plan-rates.config.js';
import { checkRedisVariables, redisVariables } from './redis/redis-sentinels.config.js';
import { plans } from './organizations/plan.domain.js';
import { planNodesSchema } from './quota/plan-nodes.config.js';
import { planPagesSchema } from './quota/plan-pages.config.js';

const commaSeparated = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

const allVariables = z.object({
  ...processVariables,
  ...databaseVariables,
  ...storageVariables,
  /** Seals the answers that are kept for an Idempotency-Key, and signs URLs. */
  ...encryptionVariables,
  ...redisVariables,
  KILN_HOST: z.string().default('127.0.0.1'),
  KILN_PORT: portVariable.default(8080),
  /** The public address. An https address enables HSTS. Default: none; links then use the Host of the request. */
  KILN_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The first key of an installation. Changing it adds the new key; the old one stays until it is revoked. */
  KILN_API_KEY: z
    .string()
    .regex(apiKeyPattern, { error: 'must be kiln_live_ or kiln_test_ followed by 43 letters and digits' })
    .optional(),
  /** The plan of the first organization, when it is made. */
  KILN_PLAN: z.enum(plans).default('enterprise'),
  /** Requests per second and burst of each key, and `<plan>=<requests per second>:<burst>,…` where plans differ. */
  KILN_RATE_LIMIT_RPS: perSecondSchema.default(100),
  KILN_RATE_LIMIT_BURST: burstSchema.default(200),
  KILN_RATE_LIMIT_PLANS: planRatesSchema.default({}),
  /**
   * How long a request waits for Redis. After a timeout it passes without a limit, and for a second the next requests do not ask
   * Redis.
   */
  KILN_RATE_LIMIT_TIMEOUT_MS: z.coerce.number().int().min(1).max(60_000).default(100),
  /** `<plan>=<pages a month>[:stop],…` or `<plan>=unlimited`, where plans differ from free=1000:stop,pro=50000. */
  KILN_PLAN_PAGES: z.string().default('').pipe(planPagesSchema),
  /** `<plan>=<files and folders of a connection>,…`, where plans differ from free=1000000,pro=10000000,enterprise=100000000. */
  KILN_PLAN_NODES: z.string().default('').pipe(planNodesSchema),
  ...uploadVariables,
  /** For files that are created from a URL. */
  ...outboundVariables,
  /** The longest time to download such a file. */
  KILN_URL_DOWNLOAD_SECONDS: z.coerce.number().int().min(1).max(3_600).default(300),
  /** Memory for the uploads under way in this process. A tenant alone gets half of it. Further uploads are refused. */
  KILN_UPLOAD_MEMORY_BYTES: z.coerce
    .number()
    .int()
    .min(64 * 1024 * 1024)
    .default(192 * 1024 * 1024),
  /**
   * How long signed URLs of the gateway are valid. Give the files service the same value, because it lets the object store sign
   * the other URLs.
   */
  ...signedUrlVariables,
  /** The origins whose pages may call the API from a browser, separated by commas; `*` is any. Default: none. */
  KILN_CORS_ORIGINS: commaSeparated.default([]),
  ...drainVariables,
  /**
   * The address at which the issuer of bearer tokens publishes its keys. Without it and without a public key, bearer tokens are
   * refused.
   */
  KILN_JWT_JWKS_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** A proxy for that address, `http://host:port`. It gets CONNECT requests. */
  KILN_JWT_JWKS_PROXY: z.url({ protocol: /^https?$/ }).optional(),
  /** The one public key (PEM) that signs bearer tokens, instead of the address. */
  KILN_JWT_PUBLIC_KEY: z
    .string()
    .refine(isPublicKey, { error: 'must be the PEM of a public key: RSA (2,048 bits or more), P-256 or Ed25519' })
    .optional(),
  /** The required values of the claims `iss` and `aud`. */
  KILN_JWT_ISSUER: z.string().min(1).optional(),
  KILN_JWT_AUDIENCE: z.string().min(1).optional(),
});

/** Bearer tokens need one source of keys, an issuer and an audience. A partial configuration is refused. */
const schema = allVariables
  .superRefine(checkStorageVariables)
  .superRefine(checkRedisVariables)
  .superRefine((given, context) => {
    const complain = (name: keyof typeof given, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    const { KILN_JWT_JWKS_URL: url, KILN_JWT_PUBLIC_KEY: key } = given;
    if (url !== undefined && key !== undefined) complain('KILN_JWT_PUBLIC_KEY', 'not together with KILN_JWT_JWKS_URL');
    for (const name of ['KILN_JWT_ISSUER', 'KILN_JWT_AUDIENCE'] as const) {
      const wanted = url !== undefined || key !== undefined;
      if (wanted && given[name] === undefined) complain(name, 'is required for bearer tokens');
      if (!wanted && given[name] !== undefined) complain(name, 'needs KILN_JWT_JWKS_URL or KILN_JWT_PUBLIC_KEY');
    }
  });

export type GatewayConfig = Readonly<z.output<typeof schema>>;

export const loadGatewayConfig = (environment: Record<string, string | undefined> = process.env): GatewayConfig =>
  loadConfig(schema, environment);

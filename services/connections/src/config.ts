import {
  databaseVariables,
  encryptionVariables,
  loadConfig,
  outboundVariables,
  processVariables,
} from '@kiln/platform';
import { z } from 'zod';
import { signingKeyOf } from './external-buckets/oidc-issuer.service.js';

const accountUrlSchema = z
  .string()
  .refine((text) => text.includes('{account}') && URL.canParse(text.replace('{account}', 'account')), {
    error: 'must be a URL with {account} in it',
  });

const allVariables = z.object({
  ...processVariables,
  ...databaseVariables,
  ...encryptionVariables,
  ...outboundVariables,
  /** Maximum number of connections of one tenant. */
  KILN_CONNECTIONS_MAX: z.coerce.number().int().min(1).max(10_000).default(200),
  /** Timeout of one call to a bucket while a caller waits, in milliseconds, retries included. */
  KILN_CONNECTIONS_TIMEOUT_MS: z.coerce.number().int().min(100).max(9_000).default(8_000),
  /**
   * Maximum number of files and folders in the bucket of one connection in any plan; the gateway gives that of the plan. Until a sync completes, the
   * connection may have as many that are gone.
   */
  KILN_CONNECTIONS_NODES_MAX: z.coerce.number().int().min(1).max(1_000_000_000).default(100_000_000),
  /** Hours after which a sync that has not completely listed its bucket fails. */
  KILN_SYNC_MAX_HOURS: z.coerce.number().int().min(1).max(720).default(24),
  /** Maximum number of syncs that one worker process runs at a time. One tenant gets at most half of them. */
  KILN_SYNC_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(8),
  /**
   * Maximum number of list requests that the syncs of one worker process have at a time. Each sync has one; a large bucket gets up to 8 while others are
   * left. One tenant gets at most half of those beyond one for each sync.
   */
  KILN_SYNC_LIST_REQUESTS: z.coerce.number().int().min(1).max(1_024).default(24),
  /** Timeout of one page of a sync, in milliseconds, retries included. */
  KILN_SYNC_PAGE_TIMEOUT_MS: z.coerce.number().int().min(100).max(300_000).default(60_000),
  /** The principal that roles in other AWS accounts must trust: the identity of the AWS credentials of this process. */
  KILN_CONNECTIONS_AWS_PRINCIPAL: z
    .string()
    .regex(/^arn:aws(-[a-z]+)*:(iam|sts)::\d{12}:[\w+=,.@/-]+$/, {
      error: 'must be the ARN of a role, user or account',
    })
    .optional(),
  /** The issuer in tokens by which Kiln signs in to identity pools of Google. The URL need not be reachable. */
  KILN_CONNECTIONS_OIDC_ISSUER: z
    .url({ protocol: /^https$/, error: 'must be an https URL' })
    .max(1_024)
    .optional(),
  /** The private key that signs these tokens, in PEM. */
  KILN_CONNECTIONS_OIDC_KEY: z
    .string()
    .refine((pem) => signingKeyOf(pem) !== null, {
      error: 'must be a private key in PEM (PKCS#8): RSA with 2,048 bits or more, or EC on the curve P-256',
    })
    .optional(),
  /** Base URLs of Google's exchange of tokens, and of its API of service accounts; set them for private endpoints. */
  KILN_CONNECTIONS_GOOGLE_STS_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  KILN_CONNECTIONS_GOOGLE_IAM_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Base URL of Google Cloud Storage; set it for a private endpoint. */
  KILN_CONNECTIONS_GCS_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Base URL of an Azure storage account; set it for a sovereign cloud. */
  KILN_CONNECTIONS_AZURE_ENDPOINT: accountUrlSchema.default('https://{account}.blob.core.windows.net'),
  /** Base URL of Google Pub/Sub; set it for a private endpoint. */
  KILN_CONNECTIONS_PUBSUB_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Base URL of the queues of an Azure storage account; set it for a sovereign cloud. */
  KILN_CONNECTIONS_AZURE_QUEUE_ENDPOINT: accountUrlSchema.default('https://{account}.queue.core.windows.net'),
  /** Maximum number of queues of notifications that one worker process reads at a time. One tenant gets at most half of them. */
  KILN_NOTIFICATIONS_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(16),
  /** The authority at which applications sign in to Azure. */
  KILN_CONNECTIONS_AZURE_AUTHORITY: z.url({ protocol: /^https?$/ }).default('https://login.microsoftonline.com'),
});

const ISSUER = ['KILN_CONNECTIONS_OIDC_ISSUER', 'KILN_CONNECTIONS_OIDC_KEY'] as const;

/** An issuer needs both. */
const variables = allVariables.superRefine((given, context) => {
  const missing = ISSUER.filter((name) => given[name] === undefined);
  if (missing.length !== 1) return;
  context.addIssue({ code: 'custom', path: missing, message: 'is required: an issuer has a URL and a key' });
});

export type ConnectionsConfig = Readonly<z.output<typeof variables>>;

/** Injection token of the configuration. */
export const CONNECTIONS_CONFIG = Symbol('connections config');

export const loadConnectionsConfig = (
  environment: Record<string, string | undefined> = process.env,
): ConnectionsConfig => loadConfig(variables, environment);

import { databaseVariables, encryptionVariables, loadConfig, processVariables } from '@kiln/platform';
import { z } from 'zod';

const variables = z.object({
  ...processVariables,
  ...databaseVariables,
  ...encryptionVariables,
  /** Hosts and networks that connections may reach although they are private or speak plain http; see packages/outbound. */
  KILN_OUTBOUND_ALLOW: z.string().default(''),
  /** A proxy through which buckets are reached, `http://host:port`; asked by CONNECT for addresses that were checked here. */
  KILN_OUTBOUND_PROXY: z.url({ protocol: /^https?$/ }).optional(),
  /** Connections that one tenant may have. */
  KILN_CONNECTIONS_MAX: z.coerce.number().int().min(1).max(10_000).default(200),
  /** Milliseconds that a bucket has for one answer to somebody who waits, retries included. */
  KILN_CONNECTIONS_TIMEOUT_MS: z.coerce.number().int().min(100).max(9_000).default(8_000),
  /** Files and folders that a sync may find for one connection. */
  KILN_CONNECTIONS_NODES_MAX: z.coerce.number().int().min(1).max(1_000_000_000).default(10_000_000),
  /** Hours after which a sync that has not listed its bucket to the end fails. */
  KILN_SYNC_MAX_HOURS: z.coerce.number().int().min(1).max(720).default(24),
  /** Syncs that one worker process is at, each in turn with one request to its bucket. One tenant has half of them at most. */
  KILN_SYNC_CONCURRENCY: z.coerce.number().int().min(1).max(256).default(8),
  /** Milliseconds that a bucket has for one page of a sync, retries included. */
  KILN_SYNC_PAGE_TIMEOUT_MS: z.coerce.number().int().min(100).max(300_000).default(60_000),
  /** Whom roles in other AWS accounts have to trust: the identity of the AWS credentials that this process is given. */
  KILN_CONNECTIONS_AWS_PRINCIPAL: z
    .string()
    .regex(/^arn:aws(-[a-z]+)*:(iam|sts)::\d{12}:[\w+=,.@/-]+$/, {
      error: 'must be the ARN of a role, user or account',
    })
    .optional(),
  /** Base URL of Google Cloud Storage, where it is reached by a private endpoint. */
  KILN_CONNECTIONS_GCS_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  /** Base URL of a storage account of Azure; another one for its sovereign clouds. */
  KILN_CONNECTIONS_AZURE_ENDPOINT: z
    .string()
    .refine((text) => text.includes('{account}') && URL.canParse(text.replace('{account}', 'account')), {
      error: 'must be a URL with {account} in it',
    })
    .default('https://{account}.blob.core.windows.net'),
  /** Where applications sign in to Azure. */
  KILN_CONNECTIONS_AZURE_AUTHORITY: z.url({ protocol: /^https?$/ }).default('https://login.microsoftonline.com'),
});

export type ConnectionsConfig = Readonly<z.output<typeof variables>>;

export const loadConnectionsConfig = (): ConnectionsConfig => loadConfig(variables, process.env);

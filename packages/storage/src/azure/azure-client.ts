// Configuration of Azure Blob Storage and the SDK clients made from it.
import type { TokenCredential } from '@azure/core-auth';
import {
  AnonymousCredential,
  BlobServiceClient,
  StorageSharedKeyCredential,
  type ContainerClient,
  type StoragePipelineOptions,
} from '@azure/storage-blob';
import { agentFor, type HttpAgents } from '../http-agents.js';
import { StorageError } from '../storage.errors.js';
import { DelegatedSignatures, KeySignatures, type Signatures } from './azure-signatures.js';

/** The ways to sign in with an account. A shared access signature is the parameters of a URL, without a question mark. */
export type AzureSignIn = { accountKey: string } | { token: TokenCredential } | { sharedAccessSignature: string };

export interface AzureStoreConfig {
  /** Base URL of the blob service. Default: `https://<account>.blob.core.windows.net`, or the connection string's. */
  endpoint?: string;
  /** Base URL written into signed URLs. Default: `endpoint`. */
  publicEndpoint?: string;
  container: string;
  /** Either the account with its key, a token or a shared access signature, or the connection string. */
  accountName?: string;
  accountKey?: string;
  token?: TokenCredential;
  sharedAccessSignature?: string;
  connectionString?: string;
  /** Agents that open the connections. */
  agents?: HttpAgents;
  /** The longest wait for a response, retries included. For bodies, the longest time without data. Default 30,000. */
  requestTimeoutMs?: number;
}

export interface AzureClients {
  service: BlobServiceClient;
  container: ContainerClient;
  /** Builds URLs with the public host. Makes no requests. */
  publicContainer: ContainerClient;
  /** Null with a shared access signature, which can sign nothing. Its clients add it to each URL. */
  signatures: Signatures | null;
}

const ATTEMPTS_MAX = 3;
const RETRY_DELAY_MS = 200;

export function createAzureClients(config: AzureStoreConfig): AzureClients {
  const { accountName, accountKey, accountEndpoint } = accountOf(config);
  const { token, sharedAccessSignature: signature } = config;
  const key = accountKey === '' ? new AnonymousCredential() : new StorageSharedKeyCredential(accountName, accountKey);
  const signed = (url: string) => (signature === undefined ? url : `${url}?${signature}`);
  const endpoint = config.endpoint ?? accountEndpoint;
  // The SDK passes unknown options to its HTTP pipeline, which supports this one.
  const agent = config.agents && { agent: agentFor(config.agents, new URL(endpoint)) };
  const options: StoragePipelineOptions = {
    retryOptions: { maxTries: ATTEMPTS_MAX, retryDelayInMs: RETRY_DELAY_MS },
    ...agent,
  };
  const service = new BlobServiceClient(signed(endpoint), token ?? key, options);
  const publicService = new BlobServiceClient(config.publicEndpoint ?? endpoint, token ?? key);
  return {
    service,
    container: service.getContainerClient(config.container),
    publicContainer: publicService.getContainerClient(config.container),
    signatures: token
      ? new DelegatedSignatures(service, accountName)
      : key instanceof StorageSharedKeyCredential
        ? new KeySignatures(key)
        : null,
  };
}

interface Account {
  accountName: string;
  /** Empty with a token or a shared access signature. */
  accountKey: string;
  accountEndpoint: string;
}

function accountOf(config: AzureStoreConfig): Account {
  const { accountName, accountKey, connectionString } = config;
  const parts = connectionString === undefined ? {} : partsOf(connectionString);
  const name = accountName ?? parts['AccountName'];
  const isKeyless = config.token !== undefined || config.sharedAccessSignature !== undefined;
  const key = isKeyless ? '' : (accountKey ?? parts['AccountKey']);
  if (!name || (!key && !isKeyless)) {
    throw new StorageError(
      'invalid',
      'Azure Blob Storage needs an account and its key, a connection string with both, or an account and the identity of a pod',
    );
  }
  const { DefaultEndpointsProtocol: protocol = 'https', EndpointSuffix: suffix = 'core.windows.net' } = parts;
  const accountEndpoint = parts['BlobEndpoint'] ?? `${protocol}://${name}.blob.${suffix}`;
  return { accountName: name, accountKey: key ?? '', accountEndpoint };
}

/** `Name=value;Name=value`, where values may contain `=`. */
const partsOf = (connectionString: string): Record<string, string> =>
  Object.fromEntries(
    connectionString
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part.includes('='))
      .map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]),
  );

// Configuration of the S3 family (AWS, MinIO, R2, Ceph, the embedded store) and the SDK client made from it.
import { S3Client } from '@aws-sdk/client-s3';
import { REQUEST_TIMEOUT_DEFAULT_MS } from '../deadline.js';
import type { HttpAgents } from '../http-agents.js';
import { checkListingAnswers } from './s3-listing-answer.js';

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
  /** For temporary keys. */
  sessionToken?: string;
  expiration?: Date;
}

export interface S3ClientConfig {
  /** Base URL of the store. Default: AWS, by region. */
  endpoint?: string;
  /** The region, or a function that finds it when it is first needed. */
  region: string | (() => Promise<string>);
  /** `https://host/bucket/key` instead of `https://bucket.host/key`. Most stores other than AWS require it. */
  forcePathStyle: boolean;
  /** Keys, or a function that gets new ones before they expire. */
  credentials: S3Keys | (() => Promise<S3Keys>);
  /** Agents that open the connections. */
  agents?: HttpAgents;
  /** The longest wait for a response, retries included. For bodies, the longest time without data. Default 30,000. */
  requestTimeoutMs?: number;
}

/** Without keys, those that AWS gives to this machine are used. */
export interface S3StoreConfig extends Omit<S3ClientConfig, 'credentials' | 'agents' | 'region'>, Partial<S3Keys> {
  region: string;
  /** Base URL written into signed URLs, for callers outside the cluster. Default: `endpoint`. */
  publicEndpoint?: string;
  bucket: string;
}

const CONNECT_TIMEOUT_MS = 5_000;
const SOCKETS_MAX = 256;

export function createS3Client(config: S3ClientConfig, endpoint: string | undefined): S3Client {
  const pool = { keepAlive: true, maxSockets: SOCKETS_MAX };
  const client = new S3Client({
    region: config.region,
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: config.forcePathStyle,
    credentials: config.credentials,
    maxAttempts: 3,
    // 'WHEN_SUPPORTED' would add checksum trailers, which many stores refuse, and would require a checksum of the users of signed URLs, which
    // plain HTTP clients do not send.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The owner of an external bucket may not know its region.
    followRegionRedirects: config.agents !== undefined && endpoint === undefined,
    // For each larger body, the SDK would open a new connection and wait for the response 100 Continue.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS,
      throwOnRequestTimeout: true,
      httpAgent: config.agents?.http ?? pool,
      httpsAgent: config.agents?.https ?? pool,
    },
  });
  checkListingAnswers(client);
  return client;
}

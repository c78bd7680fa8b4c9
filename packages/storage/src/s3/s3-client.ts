// Configuration of the S3 family (AWS, MinIO, R2, Ceph, the embedded store) and the SDK client made from it.
import { S3Client } from '@aws-sdk/client-s3';
import { REQUEST_TIMEOUT_DEFAULT_MS } from '../deadline.js';
import type { HttpAgents } from '../http-agents.js';
import { checkListingAnswers } from './s3-listing-answer.js';

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of keys that end. */
  sessionToken?: string;
  expiration?: Date;
}

export interface S3ClientConfig {
  /** Base URL of the store. Default: AWS, by region. */
  endpoint?: string;
  /** Or who finds it out, when it is first needed. */
  region: string | (() => Promise<string>);
  /** `https://host/bucket/key` instead of `https://bucket.host/key`; most stores other than AWS want it. */
  forcePathStyle: boolean;
  /** Keys, or who gets them anew before they end. */
  credentials: S3Keys | (() => Promise<S3Keys>);
  /** Open the connections. */
  agents?: HttpAgents;
  /** Longest wait for one answer, retries included; for bodies, the longest silence. Default 30,000. */
  requestTimeoutMs?: number;
}

export interface S3StoreConfig extends Omit<S3ClientConfig, 'credentials' | 'agents' | 'region'>, S3Keys {
  region: string;
  /** Base URL written into signed URLs, for callers outside the cluster. Default: `endpoint`. */
  publicEndpoint?: string;
  bucket: string;
}

export const CONNECT_TIMEOUT_MS = 5_000;
export const SOCKETS_MAX = 256;

export function createS3Client(config: S3ClientConfig, endpoint: string | undefined): S3Client {
  const pool = { keepAlive: true, maxSockets: SOCKETS_MAX };
  const client = new S3Client({
    region: config.region,
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: config.forcePathStyle,
    credentials: config.credentials,
    maxAttempts: 3,
    // 'WHEN_SUPPORTED' would add checksum trailers that many stores refuse, and bind signed URLs to a checksum that
    // plain HTTP clients cannot send.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The owner of a bucket need not know in which region it lies.
    followRegionRedirects: config.agents !== undefined && endpoint === undefined,
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

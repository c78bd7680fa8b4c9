// Configuration of the S3 family (AWS, MinIO, R2, Ceph, the embedded store) and the SDK client made from it.
import { S3Client } from '@aws-sdk/client-s3';
import { REQUEST_TIMEOUT_DEFAULT_MS } from '../deadline.js';

export interface S3StoreConfig {
  /** Base URL of the store. Default: AWS, by region. */
  endpoint?: string;
  /** Base URL written into signed URLs, for callers outside the cluster. Default: `endpoint`. */
  publicEndpoint?: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** `https://host/bucket/key` instead of `https://bucket.host/key`; most stores other than AWS want it. */
  forcePathStyle: boolean;
  /** Longest wait for one answer, retries included; for bodies, the longest silence. Default 30,000. */
  requestTimeoutMs?: number;
}

export const CONNECT_TIMEOUT_MS = 5_000;
export const SOCKETS_MAX = 256;

export function createS3Client(config: S3StoreConfig, endpoint: string | undefined): S3Client {
  return new S3Client({
    region: config.region,
    ...(endpoint !== undefined && { endpoint }),
    forcePathStyle: config.forcePathStyle,
    credentials: { accessKeyId: config.accessKeyId, secretAccessKey: config.secretAccessKey },
    maxAttempts: 3,
    // 'WHEN_SUPPORTED' would add checksum trailers that many stores refuse, and bind signed URLs to a checksum that
    // plain HTTP clients cannot send.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: config.requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
    },
  });
}

// Translates what the AWS SDK throws into StorageError.
import { ObjectArchivedError } from '../object-archived.error.js';
import { StorageError } from '../storage.errors.js';

const MISSING = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);
const DENIED = new Set([
  'AccessDenied',
  'Forbidden',
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'ExpiredToken',
  'RequestTimeTooSkewed',
]);
const RETRYABLE = new Set(['SlowDown', 'Throttling', 'TooManyRequestsException', 'RequestTimeout']);

interface SdkErrorShape {
  name?: string;
  message?: string;
  $metadata?: { httpStatusCode?: number };
  /** Of an archived object. The second is a tier of Intelligent-Tiering. */
  StorageClass?: string;
  AccessTier?: string;
}

const shapeOf = (error: unknown): SdkErrorShape => (typeof error === 'object' && error !== null ? error : {});

/** True when the object does not exist, even if only the status of a HEAD request shows it. */
export function isMissing(error: unknown): boolean {
  const { name = '', $metadata } = shapeOf(error);
  return MISSING.has(name) || ($metadata?.httpStatusCode === 404 && name !== 'NoSuchBucket');
}

/** True for a response with a success status that the SDK could not parse. */
export function isUnreadable(error: unknown): boolean {
  const status = shapeOf(error).$metadata?.httpStatusCode ?? 0;
  return !(error instanceof StorageError) && status >= 200 && status < 300;
}

export function toStorageError(error: unknown, action: string): StorageError {
  if (error instanceof StorageError) return error;
  const { name = '', message = String(error), $metadata, StorageClass, AccessTier } = shapeOf(error);
  const status = $metadata?.httpStatusCode ?? 0;
  const described = `${action}: ${name || 'failure'}: ${message}`;
  if (name === 'NoSuchBucket') {
    return new StorageError('invalid', `${described}; create the bucket or call ensureBucket()`, { cause: error });
  }
  if (isMissing(error)) return new StorageError('not_found', described, { cause: error });
  if (name === 'InvalidObjectState') {
    return new ObjectArchivedError(action, AccessTier ?? StorageClass ?? '', { cause: error });
  }
  if (DENIED.has(name) || status === 401 || status === 403) {
    return new StorageError('access_denied', described, { cause: error });
  }
  if (status >= 400 && status < 500 && status !== 408 && status !== 429 && !RETRYABLE.has(name)) {
    return new StorageError('invalid', described, { cause: error });
  }
  return new StorageError('unavailable', described, { cause: error, retryable: true });
}

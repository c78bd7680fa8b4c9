// Every failure of a store has one of four codes. The vendor's error is in `cause`.
export type StorageErrorCode = 'not_found' | 'access_denied' | 'unavailable' | 'invalid';

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** True when the same call may succeed later. */
  readonly retryable: boolean;

  constructor(code: StorageErrorCode, message: string, options: { cause?: unknown; retryable?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** The `cause` of a StorageError: a role cannot be assumed because this installation has no AWS credentials. */
export class NoOwnCredentialsError extends Error {
  override readonly name = 'NoOwnCredentialsError';
}

/** The header in which failed S3 responses keep the value of Retry-After. See s3/s3-retry-after.ts. */
export const KEPT_RETRY_AFTER = 'kiln-retry-after';

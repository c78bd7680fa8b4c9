// Every failure of a store, in four codes that callers can act on; the vendor's error stays in `cause`.
export type StorageErrorCode = 'not_found' | 'access_denied' | 'unavailable' | 'invalid';

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly code: StorageErrorCode;
  /** True when the same call may succeed later without any change. */
  readonly retryable: boolean;

  constructor(code: StorageErrorCode, message: string, options: { cause?: unknown; retryable?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** `cause` of a StorageError: a role was to be assumed, and there are no credentials of this installation to do it with. */
export class NoOwnCredentialsError extends Error {
  override readonly name = 'NoOwnCredentialsError';
}

/** The header of a failed answer of the S3 family that keeps the value of its Retry-After; see s3/s3-retry-after.ts. */
export const KEPT_RETRY_AFTER = 'kiln-retry-after';

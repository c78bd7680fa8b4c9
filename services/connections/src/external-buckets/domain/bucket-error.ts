import type { BucketErrorCode } from '@kiln/contracts';

/** Why a bucket cannot be used. Its owner reads the message, which contains no credential and no detail of the operator's network. */
export class BucketError extends Error {
  override readonly name = 'BucketError';

  constructor(
    readonly code: BucketErrorCode,
    message: string,
    options: { cause?: unknown; retryable?: boolean; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message, { cause: options.cause });
    this.retryable = options.retryable ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** Whether the same call may succeed later without any change. */
  readonly retryable: boolean;
  /** The provider's Retry-After. */
  readonly retryAfterSeconds: number | undefined;
}

export interface BucketFault {
  code: BucketErrorCode;
  message: string;
}

/** The part of the error that is stored and returned. */
export const faultOf = ({ code, message }: BucketError): BucketFault => ({ code, message });

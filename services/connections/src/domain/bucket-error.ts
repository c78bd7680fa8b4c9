import type { BucketErrorCode } from '@kiln/contracts';

/** Why a bucket can't be used, in words for its owner: they hold no credential, and nothing of the operator's network. */
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

  /** Whether the same may work later although nobody changes anything. */
  readonly retryable: boolean;
  /** As the provider has asked for by Retry-After. */
  readonly retryAfterSeconds: number | undefined;
}

export interface BucketFault {
  code: BucketErrorCode;
  message: string;
}

/** As it is told and kept. */
export const faultOf = ({ code, message }: BucketError): BucketFault => ({ code, message });

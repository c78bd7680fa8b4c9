// The errors of the SDK. Each has a code, says whether a retry can help, and contains no credentials.
import { isRetryableStatus } from './retry.js';
import type { ErrorCode } from './operation-types.js';

interface Details {
  retryable: boolean;
  requestId?: string | null;
  cause?: unknown;
}

export class KilnError extends Error {
  override readonly name: string = 'KilnError';
  /** Whether the same request can succeed later, unchanged. */
  readonly retryable: boolean;
  /** Include it in support requests. Null if no response arrived. */
  readonly requestId: string | null;

  constructor(
    readonly code: ErrorCode | (string & {}),
    message: string,
    { retryable, requestId = null, cause }: Details,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.retryable = retryable;
    this.requestId = requestId;
  }
}

/** No response arrived, or it broke off. */
export class KilnConnectionError extends KilnError {
  override readonly name = 'KilnConnectionError';

  constructor(what: string, cause: unknown) {
    super('CONNECTION', `${what}: no complete response arrived.`, { retryable: true, cause });
  }
}

/** `TIMEOUT`: one attempt took too long. `DEADLINE`: all of them together did. */
export class KilnTimeoutError extends KilnError {
  override readonly name = 'KilnTimeoutError';

  constructor(code: 'TIMEOUT' | 'DEADLINE', message: string) {
    super(code, message, { retryable: true });
  }
}

export interface ApiFailure {
  status: number;
  code: string;
  message: string;
  requestId: string | null;
  /** Null if the response has no `Retry-After`. */
  retryAfterSeconds: number | null;
}

/** A response with an error status. */
export class KilnApiError extends KilnError {
  override readonly name: string = 'KilnApiError';
  readonly status: number;
  /** Seconds to wait before a retry, if the server has named a time. */
  readonly retryAfterSeconds: number | null;

  constructor({ status, code, message, requestId, retryAfterSeconds }: ApiFailure) {
    super(code, message, { retryable: isRetryableStatus(status) || retryAfterSeconds !== null, requestId });
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 400: the body or a parameter is invalid. */
export class BadRequestError extends KilnApiError {
  override readonly name = 'BadRequestError';
}
/** 401: credentials are missing or invalid. */
export class UnauthorizedError extends KilnApiError {
  override readonly name = 'UnauthorizedError';
}
/** 402: the page quota is used up. */
export class QuotaExceededError extends KilnApiError {
  override readonly name = 'QuotaExceededError';
}
/** 403: the credentials do not permit this. */
export class ForbiddenError extends KilnApiError {
  override readonly name = 'ForbiddenError';
}
/** 404: the resource does not exist. */
export class NotFoundError extends KilnApiError {
  override readonly name = 'NotFoundError';
}
/** 409: the state of the resource does not allow this. */
export class ConflictError extends KilnApiError {
  override readonly name = 'ConflictError';
}
/** 410: the events after this id are no longer kept. */
export class GoneError extends KilnApiError {
  override readonly name = 'GoneError';
}
/** 413: the body or the upload is larger than its limit. */
export class PayloadTooLargeError extends KilnApiError {
  override readonly name = 'PayloadTooLargeError';
}
/** 424: the connected bucket did not respond. */
export class BucketUnavailableError extends KilnApiError {
  override readonly name = 'BucketUnavailableError';
}
/** 429: too many requests. */
export class RateLimitedError extends KilnApiError {
  override readonly name = 'RateLimitedError';
}
/** 500 and above. */
export class ServerError extends KilnApiError {
  override readonly name = 'ServerError';
}

const classes: Readonly<Record<number, new (failure: ApiFailure) => KilnApiError>> = {
  400: BadRequestError,
  401: UnauthorizedError,
  402: QuotaExceededError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  413: PayloadTooLargeError,
  424: BucketUnavailableError,
  429: RateLimitedError,
};

export function apiError(failure: ApiFailure): KilnApiError {
  const Class = classes[failure.status] ?? (failure.status >= 500 ? ServerError : KilnApiError);
  return new Class(failure);
}

// The one table of error codes. A code's HTTP status and retryability stand beside it; nothing else decides them.

interface ErrorKind {
  readonly status: number;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
  readonly meaning: string;
}

export const errorKinds = {
  BAD_REQUEST: { status: 400, retryable: false, meaning: 'The body or a parameter is invalid.' },
  UNAUTHORIZED: { status: 401, retryable: false, meaning: 'Authentication is missing or invalid.' },
  QUOTA_EXCEEDED: { status: 402, retryable: false, meaning: 'The usage quota of the billing period is used up.' },
  FORBIDDEN: { status: 403, retryable: false, meaning: 'The credentials lack the scope this needs.' },
  NOT_FOUND: { status: 404, retryable: false, meaning: 'The resource does not exist.' },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, meaning: 'The path exists, but not with this method.' },
  CONFLICT: { status: 409, retryable: false, meaning: 'The state of the resource forbids this.' },
  SUPERSEDED: { status: 409, retryable: false, meaning: 'A newer job or a deletion has replaced this run.' },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, meaning: 'The body or upload is over its limit.' },
  BUCKET_UNAVAILABLE: { status: 424, retryable: true, meaning: 'Your bucket did not answer or refused the request.' },
  RATE_LIMITED: { status: 429, retryable: true, meaning: 'Too many requests; retry after Retry-After seconds.' },
  INTERNAL_ERROR: { status: 500, retryable: false, meaning: 'A fault of ours; quote the request id.' },
  UNAVAILABLE: { status: 503, retryable: true, meaning: 'A part is down; retry after Retry-After seconds.' },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

export interface CodedErrorOptions {
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  retryAfterSeconds?: number | undefined;
  /** The internal reason: logged, never sent. */
  cause?: unknown;
}

/** An error that may cross a boundary: its message is written for the caller and holds nothing internal. */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: CodedErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CodedError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorKinds[this.code].status;
  }

  get retryable(): boolean {
    return errorKinds[this.code].retryable;
  }
}

export const badRequest = (message: string) => new CodedError('BAD_REQUEST', message);
export const notFound = (message = 'The resource does not exist.') => new CodedError('NOT_FOUND', message);
export const conflict = (message: string) => new CodedError('CONFLICT', message);
/** A newer job or a deletion has replaced the run: it stops, and only this ends it as cancelled. */
export const superseded = (message: string) => new CodedError('SUPERSEDED', message);

/** `what` is down or did not answer in time; the caller is told to come back. */
export const unavailable = (what: string, cause?: unknown) =>
  new CodedError('UNAVAILABLE', `${what} is not available right now. Retry in a moment.`, {
    retryAfterSeconds: 1,
    cause,
  });

/** Any thrown value as a CodedError. What is not coded becomes INTERNAL_ERROR with the original as its cause. */
export function asCodedError(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  return new CodedError('INTERNAL_ERROR', 'Something went wrong on our side. Quote the request id to support.', {
    cause: error,
  });
}

// The error codes, each with its HTTP status and whether a retry can succeed.

interface ErrorKind {
  readonly status: number;
  /** Whether the same request can succeed later, unchanged. */
  readonly retryable: boolean;
  readonly meaning: string;
}

export const errorKinds = {
  BAD_REQUEST: { status: 400, retryable: false, meaning: 'The body or a parameter is invalid.' },
  UNAUTHORIZED: { status: 401, retryable: false, meaning: 'Authentication is missing or invalid.' },
  QUOTA_EXCEEDED: { status: 402, retryable: false, meaning: 'The page quota of the billing period is used up.' },
  FORBIDDEN: { status: 403, retryable: false, meaning: 'The credentials do not permit this request.' },
  NOT_FOUND: { status: 404, retryable: false, meaning: 'The resource does not exist.' },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, meaning: 'The path exists, but not with this method.' },
  CONFLICT: { status: 409, retryable: false, meaning: 'The state of the resource does not allow this.' },
  SUPERSEDED: { status: 409, retryable: false, meaning: 'A newer job or a deletion has replaced this run.' },
  EVENTS_EXPIRED: { status: 410, retryable: false, meaning: 'The events after this id are no longer kept.' },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, meaning: 'The body or the upload is larger than its limit.' },
  BUCKET_UNAVAILABLE: {
    status: 424,
    retryable: true,
    meaning: 'The connected bucket did not respond or rejected the request.',
  },
  SOURCE_UNAVAILABLE: {
    status: 424,
    retryable: true,
    meaning: 'The server of the URL did not respond, or failed.',
  },
  RATE_LIMITED: { status: 429, retryable: true, meaning: 'Too many requests. Retry after `Retry-After` seconds.' },
  INTERNAL_ERROR: {
    status: 500,
    retryable: false,
    meaning: 'Internal error. Include the request id in support requests.',
  },
  UNAVAILABLE: {
    status: 503,
    retryable: true,
    meaning: 'A dependency is unavailable. Retry after `Retry-After` seconds.',
  },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** The codes that callers of the API see. Only runs of jobs are superseded. */
export type PublicErrorCode = Exclude<ErrorCode, 'SUPERSEDED'>;
export const publicErrorCodes = Object.keys(errorKinds).filter(
  (code): code is PublicErrorCode => code !== 'SUPERSEDED',
);

export interface CodedErrorOptions {
  /** Seconds to wait before a retry; sent as `Retry-After`. */
  retryAfterSeconds?: number | undefined;
  /** The internal cause. It is logged, never sent. */
  cause?: unknown;
}

/** An error that is safe to return to a caller. Its message contains nothing internal. */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: CodedErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CodedError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get publicCode(): PublicErrorCode {
    return this.code === 'SUPERSEDED' ? 'CONFLICT' : this.code;
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
/** A newer job or a deletion has replaced the run. Only this error ends a run as cancelled. */
export const superseded = (message: string) => new CodedError('SUPERSEDED', message);

/** `what` is down or did not respond in time. The caller should retry. */
export const unavailable = (what: string, cause?: unknown) =>
  new CodedError('UNAVAILABLE', `${what} is not available right now. Retry in a moment.`, {
    retryAfterSeconds: 1,
    cause,
  });

/** Converts any thrown value to a CodedError. An uncoded error becomes INTERNAL_ERROR with the original as its cause. */
export function asCodedError(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  return new CodedError(
    'INTERNAL_ERROR',
    'Something went wrong on our side. Include the request id when you contact support.',
    {
      cause: error,
    },
  );
}

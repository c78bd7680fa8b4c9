// An external bucket that could not be read. `judge` handles it like a failed provider: the run counts as a failure.
export class BucketFailureError extends Error {
  readonly code = 'provider_unavailable';
  readonly retryable = true;
  readonly transient = true;
  readonly wasAsked = true;
  readonly retryAfterSeconds: number | null;

  constructor(
    readonly fault: 'unreachable' | 'server_error' | 'rate_limited' | 'timeout',
    message: string,
    { cause, retryAfterSeconds }: { cause?: unknown; retryAfterSeconds?: number | undefined } = {},
  ) {
    super(message, { cause });
    this.name = 'BucketFailureError';
    this.retryAfterSeconds = retryAfterSeconds ?? null;
  }
}

const RETRY = 'Check that the bucket can be read, then retry the job.';

/** The bucket answered with a status that allows a retry. */
export function answeredBusy(bucket: string, status: number, retryAfterSeconds: number | undefined) {
  const fault = status === 429 ? 'rate_limited' : 'server_error';
  const message = `The bucket ${bucket} answered ${status} when the file was read. ${RETRY}`;
  return new BucketFailureError(fault, message, { retryAfterSeconds });
}

/** The connection ended or stalled before all bytes arrived. */
export function brokenOff(bucket: string, cause: unknown) {
  const message = `The bucket ${bucket} broke off the connection while the file was read. ${RETRY}`;
  return new BucketFailureError('unreachable', message, { cause });
}

/** The bytes arrive, but not in a useful time. */
export function tooSlow(bucket: string) {
  return new BucketFailureError('timeout', `The bucket ${bucket} sent the file too slowly to be read. ${RETRY}`);
}

/** No connection, although the connections service has just reached the bucket: the network or the outbound policy of the worker prevents it. */
export function unreachable(bucket: string, cause: unknown) {
  const message =
    `The workers of this installation cannot reach the bucket ${bucket}. Ask its operator to let them (KILN_OUTBOUND_PROXY, ` +
    'KILN_OUTBOUND_ALLOW), then retry.';
  return new BucketFailureError('unreachable', message, { cause });
}

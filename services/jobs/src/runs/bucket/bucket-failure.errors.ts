// An external bucket that could not be read. `judge` handles it like a failed provider: the run counts as a failure.
import type { SourceFaultCode } from '@kiln/contracts';
import { ExtractionError } from '@kiln/extraction';

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

/** The owner of the bucket has to change something before the file can be read. The job fails at once. */
export class BucketRefusalError extends Error {
  readonly retryable = false;
  readonly transient = false;
  readonly wasAsked = true;
  readonly fault = 'refused';
  readonly retryAfterSeconds = null;

  constructor(
    readonly code: 'provider_unauthorized' | 'provider_unavailable',
    message: string,
  ) {
    super(message);
    this.name = 'BucketRefusalError';
  }
}

/** The connections service could not open the object, for the reason in `fault`. */
export function notOpened({
  fault,
  fault_code: code,
}: {
  fault: string | null;
  fault_code?: SourceFaultCode | null;
}): Error {
  const message = fault ?? 'The bytes of the file cannot be read.';
  return code === 'provider_unauthorized' || code === 'provider_unavailable'
    ? new BucketRefusalError(code, message)
    : new ExtractionError('corrupt_file', message);
}

/** The bucket answered with 401 or 403, or says that the object is archived. */
export function refusedBy(bucket: string, isArchived: boolean): BucketRefusalError {
  if (isArchived) {
    const message = `The object is archived in the bucket ${bucket}. Restore it, then process the file again.`;
    return new BucketRefusalError('provider_unavailable', message);
  }
  const message = `The bucket ${bucket} no longer lets Kiln read the file. Test the connection, then process the file again.`;
  return new BucketRefusalError('provider_unauthorized', message);
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

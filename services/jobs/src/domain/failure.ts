// What a failed run means for its job. The file's own faults end it at once, and so do a provider's that somebody has to
// correct; transient ones, among them a connected bucket's, are tried again, three times in all; a part of Kiln being away, or a provider that was not even asked,
// is nobody's fault and only delays it.
import { CodedError, type JobError } from '@kiln/contracts';

export type Verdict =
  | { kind: 'fail'; error: JobError }
  | { kind: 'retry'; error: JobError; delaySecondsMin: number }
  /** `forgiven`: the run does not count towards the limit on runs. */
  | { kind: 'postpone'; error: JobError; delaySecondsMin: number; forgiven: boolean }
  /** The file is gone or has a newer job: there is nothing left to do. */
  | { kind: 'cancel' };

const FAILURES_MAX = 3;
const RETRY_BASE_SECONDS = 2;
const RETRY_CAP_SECONDS = 60;
const POSTPONE_MIN_SECONDS = 1;
const POSTPONE_MAX_SECONDS = 5;
/** An outage is short or long: after these many runs the wait grows, so that a job's runs outlast a long one. */
const POSTPONE_GROWS_AFTER_RUNS = 10;
const POSTPONE_GROWTH = 1.2;
const POSTPONE_CAP_SECONDS = 60;
/** Nothing goes round for ever, whatever the reason. */
const RUNS_MAX = 100;

/** An error that already carries a job error's code, such as an extraction or storage error. */
interface Explained {
  code: string;
  message: string;
  retryable: boolean;
}

/** An error of a provider's client. */
interface ProviderFailure extends Explained {
  fault: string;
  /** Worth another try as it is. */
  transient: boolean;
  /** False when others' failures or requests stood in the way. */
  wasAsked: boolean;
  retryAfterSeconds: number | null;
}

const FILE_FAULTS = new Set<string>([
  'unsupported_type',
  'corrupt_file',
  'encrypted_file',
  'file_too_large',
  'timeout',
]);

function isExplained(error: unknown): error is Error & Explained {
  return error instanceof Error && 'code' in error && 'retryable' in error && typeof error.code === 'string';
}

function isProviderFailure(error: Explained): error is ProviderFailure {
  return 'fault' in error && 'transient' in error && 'wasAsked' in error && 'retryAfterSeconds' in error;
}

const away: JobError = {
  code: 'internal',
  message: 'A part of the service was not available; the job goes on by itself.',
  retryable: true,
};
const internal: JobError = {
  code: 'internal',
  message: 'Processing failed on our side. Retry the job; if it fails again, quote the job id to support.',
  retryable: true,
};

/** Transient failures and runs, this one among the runs, since the job was made or last retried by a caller. */
export function judge(error: unknown, job: { failures: number; runs: number }): Verdict {
  if (error instanceof CodedError && error.code === 'SUPERSEDED') return { kind: 'cancel' };
  if (error instanceof CodedError && error.code === 'BUCKET_UNAVAILABLE') return judgeProvider(ofBucket(error), job);
  if (isExplained(error) && isProviderFailure(error)) return judgeProvider(error, job);
  if (job.runs >= RUNS_MAX) return { kind: 'fail', error: internal };
  if (error instanceof CodedError && error.retryable)
    return { kind: 'postpone', error: away, delaySecondsMin: 0, forgiven: false };
  if (isExplained(error)) {
    if (FILE_FAULTS.has(error.code)) {
      const code = error.code as JobError['code'];
      return { kind: 'fail', error: { code, message: error.message, retryable: false } };
    }
    if (error.code === 'quota_exceeded') {
      return { kind: 'fail', error: { code: 'quota_exceeded', message: error.message, retryable: true } };
    }
    if (error.code === 'unavailable') return { kind: 'postpone', error: away, delaySecondsMin: 0, forgiven: false };
    if (error.code === 'not_found') {
      const message = 'The bytes of the file are no longer in storage. Upload it again.';
      return { kind: 'fail', error: { code: 'internal', message, retryable: false } };
    }
  }
  if (job.failures + 1 >= FAILURES_MAX) return { kind: 'fail', error: internal };
  return { kind: 'retry', error: internal, delaySecondsMin: 0 };
}

/** The connected bucket in which the bytes of the file lie. */
const ofBucket = ({ message, retryAfterSeconds }: CodedError): ProviderFailure => ({
  code: 'provider_unavailable',
  message,
  retryable: true,
  fault: 'unreachable',
  transient: true,
  wasAsked: true,
  retryAfterSeconds: retryAfterSeconds ?? null,
});

function judgeProvider(failure: ProviderFailure, job: { failures: number; runs: number }): Verdict {
  const { message, retryable, transient, wasAsked, fault } = failure;
  const error: JobError = { code: failure.code as JobError['code'], message, retryable };
  const delaySecondsMin = failure.retryAfterSeconds ?? 0;
  // It serves others; this job's turn comes however long that takes.
  if (fault === 'busy') return { kind: 'postpone', error, delaySecondsMin, forgiven: true };
  if (!transient || job.runs >= RUNS_MAX) return { kind: 'fail', error };
  if (!wasAsked) return { kind: 'postpone', error, delaySecondsMin, forgiven: false };
  return job.failures + 1 < FAILURES_MAX ? { kind: 'retry', error, delaySecondsMin } : { kind: 'fail', error };
}

/** Exponential back-off with full jitter (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/). */
export function retryDelaySeconds(failures: number, random: () => number): number {
  return random() * Math.min(RETRY_CAP_SECONDS, RETRY_BASE_SECONDS * 2 ** failures);
}

/** 1 to 5 s while an outage is young; growing to a minute with the runs it has cost. */
export function postponeDelaySeconds(runs: number, random: () => number): number {
  const growth = POSTPONE_GROWTH ** Math.max(0, runs - POSTPONE_GROWS_AFTER_RUNS);
  const longest = Math.min(POSTPONE_CAP_SECONDS, POSTPONE_MAX_SECONDS * growth);
  return POSTPONE_MIN_SECONDS + random() * (longest - POSTPONE_MIN_SECONDS);
}

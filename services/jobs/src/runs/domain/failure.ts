// The consequence of a failed run for its job. A fault of the file fails the job at once, and so does a provider fault that needs a correction.
// Transient faults, also of an external bucket, are retried, three times in all. When a part of Kiln is unavailable, the machine lacks what any
// file needs, or a provider was not even called, the job is only postponed.
import { CodedError, type JobError } from '@kiln/contracts';
import { isSystemFault } from '@kiln/extraction';
import { backoff, fullJitter } from '@kiln/resilience';
import { NoTextRoom } from './no-text-room.js';
import { storableText } from './storable-text.js';
import { ExtractionAwaited } from '../../extractions/asked-extraction.domain.js';

export type Verdict =
  | { kind: 'fail'; error: JobError }
  | { kind: 'retry'; error: JobError; delaySecondsMin: number }
  /** `forgiven`: the run does not count towards the limit on runs. `isOutage`: not the provider, but a part of Kiln could not serve the run. */
  | { kind: 'postpone'; error: JobError; delaySecondsMin: number; forgiven: boolean; isOutage?: true }
  /** The organization's own extractor reports later. */
  | { kind: 'await'; delaySeconds: number }
  /** The file was deleted or has a newer job. */
  | { kind: 'cancel' };

const FAILURES_MAX = 3;
const RETRY_SECONDS = { first: 2, max: 60 };
const POSTPONE_MIN_SECONDS = 1;
const POSTPONE_SECONDS = { first: 5, max: 60, growth: 1.2 };
/** After so many runs the wait grows, so that a long outage costs little. */
const POSTPONE_GROWS_AFTER_RUNS = 10;
/** A job that has run more often fails, unless a part of Kiln could not serve the run, or a provider is busy. */
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
  /** A retry may succeed. */
  transient: boolean;
  /** False when the request was not sent, because of failures or requests of other jobs. */
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

const unavailable: JobError = {
  code: 'internal',
  message: 'A part of the service was not available; the job continues automatically.',
  retryable: true,
};
const noTextRoom: JobError = {
  code: 'internal',
  message: 'Other large files are being processed; the job continues automatically.',
  retryable: true,
};
/** A run is postponed for as long as an outage of Kiln lasts: it fails no file. */
const outage = {
  kind: 'postpone',
  error: unavailable,
  delaySecondsMin: 0,
  forgiven: true,
  isOutage: true,
} as const satisfies Verdict;
const internal: JobError = {
  code: 'internal',
  message:
    'Processing failed on our side. Retry the job; if it fails again, include the job id when you contact support.',
  retryable: true,
};

/** `failures` and `runs` since the job was created or last retried by a caller. `runs` includes this run. */
export function judge(thrown: unknown, job: { failures: number; runs: number }): Verdict {
  const verdict = verdictOn(thrown, job);
  if (!('error' in verdict)) return verdict;
  return { ...verdict, error: { ...verdict.error, message: storableText(verdict.error.message) } };
}

function verdictOn(error: unknown, job: { failures: number; runs: number }): Verdict {
  if (error instanceof CodedError && error.code === 'SUPERSEDED') return { kind: 'cancel' };
  if (error instanceof ExtractionAwaited) return { kind: 'await', delaySeconds: error.delaySeconds };
  if (isSystemFault(error)) return outage;
  if (error instanceof NoTextRoom) return { ...outage, error: noTextRoom };
  if (error instanceof CodedError && error.code === 'BUCKET_UNAVAILABLE') return judgeProvider(ofBucket(error), job);
  if (isExplained(error) && isProviderFailure(error)) return judgeProvider(error, job);
  if (error instanceof CodedError && error.retryable) return outage;
  if (isExplained(error)) {
    if (FILE_FAULTS.has(error.code)) {
      const code = error.code as JobError['code'];
      return { kind: 'fail', error: { code, message: error.message, retryable: false } };
    }
    if (error.code === 'quota_exceeded') {
      return { kind: 'fail', error: { code: 'quota_exceeded', message: error.message, retryable: true } };
    }
    // The store refuses Kiln's key, or all writes: only the operator can correct that.
    if (error.code === 'unavailable' || error.code === 'access_denied') return outage;
    if (error.code === 'not_found') {
      const message = 'The bytes of the file are no longer in storage. Upload it again.';
      return { kind: 'fail', error: { code: 'internal', message, retryable: false } };
    }
  }
  if (job.failures + 1 >= FAILURES_MAX || job.runs >= RUNS_MAX) return { kind: 'fail', error: internal };
  return { kind: 'retry', error: internal, delaySecondsMin: 0 };
}

/** The external bucket that has the bytes of the file. */
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
  // The provider works, but is fully used: the job waits however long that takes.
  if (fault === 'busy') return { kind: 'postpone', error, delaySecondsMin, forgiven: true };
  if (!transient || job.runs >= RUNS_MAX) return { kind: 'fail', error };
  if (!wasAsked) return { kind: 'postpone', error, delaySecondsMin, forgiven: false };
  return job.failures + 1 < FAILURES_MAX ? { kind: 'retry', error, delaySecondsMin } : { kind: 'fail', error };
}

export function retryDelaySeconds(failures: number, random: () => number): number {
  return fullJitter(backoff(RETRY_SECONDS, failures), random);
}

/** 1 to 5 s at first, growing to a minute with the number of runs. */
export function postponeDelaySeconds(runs: number, random: () => number): number {
  const longest = backoff(POSTPONE_SECONDS, Math.max(0, runs - POSTPONE_GROWS_AFTER_RUNS));
  return POSTPONE_MIN_SECONDS + fullJitter(longest - POSTPONE_MIN_SECONDS, random);
}

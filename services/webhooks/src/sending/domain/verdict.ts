// Maps the response of an endpoint to a verdict.
import { retryAfterSeconds } from '@kiln/resilience';
import { RETRY_AFTER_MAX_SECONDS, retryDelayMs } from './retry-schedule.js';

/** The response, or the reason why there is no response. */
export interface Answer {
  /** Null when there was no response. */
  statusCode: number | null;
  /** Why there was no response, or why it is incomplete, for the owner of the webhook. Null for a complete response. */
  error: string | null;
  retryAfter: string | undefined;
}

export type Judgement =
  | { verdict: 'delivered'; error: null }
  /** `gone`: the endpoint wants no events any more. */
  | { verdict: 'failed'; error: string; gone: boolean }
  | { verdict: 'retry'; error: string; retryInMs: number };

const GONE = 410;

function errorOf({ statusCode, error }: Answer): string | null {
  if (error !== null) return error;
  if (statusCode === null) return 'There was no answer.';
  if (statusCode >= 200 && statusCode < 300) return null;
  if (statusCode >= 300 && statusCode < 400) return `The endpoint answered ${statusCode}; redirects are not followed.`;
  return `The endpoint answered ${statusCode}.`;
}

/** `failuresBefore` counts the failures of the same delivery. */
export function judge(answer: Answer, failuresBefore: number, now: number): Judgement {
  const error = errorOf(answer);
  if (error === null) return { verdict: 'delivered', error };
  if (answer.statusCode === GONE) return { verdict: 'failed', error, gone: true };
  const asked = retryAfterSeconds({ 'retry-after': answer.retryAfter }, { secondsMax: RETRY_AFTER_MAX_SECONDS, now });
  const retryAfterMs = asked === undefined ? null : asked * 1_000;
  const retryInMs = retryDelayMs({ failures: failuresBefore + 1, retryAfterMs });
  return retryInMs === null ? { verdict: 'failed', error, gone: false } : { verdict: 'retry', error, retryInMs };
}

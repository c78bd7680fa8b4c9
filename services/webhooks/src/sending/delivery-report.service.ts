// The outcome of a delivery, for the writer.
import type { HttpResult } from './http-sender.adapter.js';
import { judge } from './domain/verdict.js';
import type { ClaimedDelivery } from './claim.store.js';
import type { Outcome } from './outcome.store.js';

/** An outcome, and the version of the webhook if its endpoint wants no more events, else null. */
export interface Report {
  outcome: Outcome;
  goneVersion: number | null;
}

/** The report of a delivery that ends without an attempt. */
export function unsent({ tenant_id, webhook_id, id, attempt }: ClaimedDelivery, error: string): Report {
  const outcome = {
    tenant_id,
    webhook_id,
    delivery_id: id,
    attempt,
    verdict: 'failed',
    attempted: false,
    error,
  } as const;
  return { outcome, goneVersion: null };
}

/** The report of an attempt, which was sent to this version of the webhook. `attemptedAt` is in milliseconds since 1970. */
export function reportOf(
  delivery: ClaimedDelivery,
  attemptedAt: number,
  result: HttpResult,
  version: number | null,
): Report {
  const judged = judge(result, delivery.failures, Date.now());
  const { tenant_id, webhook_id, id, attempt } = delivery;
  const outcome: Outcome = {
    tenant_id,
    webhook_id,
    delivery_id: id,
    attempt,
    verdict: judged.verdict,
    attempted: true,
    attempted_at_ms: attemptedAt,
    duration_ms: result.durationMs,
  };
  if (result.statusCode !== null) outcome.status_code = result.statusCode;
  if (result.responseBody !== null) outcome.response_body = result.responseBody;
  if (judged.verdict === 'delivered') return { outcome, goneVersion: null };
  outcome.error = judged.error;
  if (judged.verdict === 'retry') outcome.retry_in_ms = judged.retryInMs;
  return { outcome, goneVersion: judged.verdict === 'failed' && judged.gone ? version : null };
}

/** The report of an attempt that failed before anything was sent. It counts as a failure and is retried. */
export function notSent(delivery: ClaimedDelivery, attemptedAt: number, error: string): Report {
  const result = { statusCode: null, error, retryAfter: undefined, responseBody: null, durationMs: 0 };
  return reportOf(delivery, attemptedAt, result, null);
}

/** The report of an attempt that this worker aborted or did not begin. It does not count as a failure. Any worker repeats it at once. */
export function takenBack(report: Report, retryInMs = 0): Report {
  return { outcome: { ...report.outcome, verdict: 'again', retry_in_ms: retryInMs }, goneVersion: null };
}

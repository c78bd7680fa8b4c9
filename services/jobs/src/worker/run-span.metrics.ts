// The span of one run, and the context of its log lines. It belongs to the trace of the request, or begins a new trace.
import { encodeId } from '@kiln/contracts';
import { inLogContext, inSpan, isTracing, SpanKind, type LogContext } from '@kiln/platform';
import type { ClaimedJob } from '../jobs/job.rows.js';

export function inRunSpan(job: ClaimedJob, run: () => Promise<void>): Promise<void> {
  return inLogContext(
    () => logContextOf(job),
    () => (isTracing() ? inSpanOfRun(job, run) : run()),
  );
}

const logContextOf = ({ id, traceparent }: ClaimedJob): LogContext => ({
  jobId: encodeId('job', id),
  trace: { traceparent: traceparent ?? undefined },
});

function inSpanOfRun({ id, attempts, traceparent }: ClaimedJob, run: () => Promise<void>): Promise<void> {
  const about = {
    kind: SpanKind.CONSUMER,
    parent: traceparent === null ? null : { traceparent },
    attributes: { 'kiln.job.id': encodeId('job', id), 'kiln.job.attempt': attempts },
  };
  return inSpan('run job', about, run);
}

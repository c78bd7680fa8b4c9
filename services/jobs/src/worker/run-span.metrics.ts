// The span of one run. It belongs to the trace of the request, or begins a new trace.
import { encodeId } from '@kiln/contracts';
import { inSpan, isTracing, SpanKind } from '@kiln/platform';
import type { ClaimedJob } from '../jobs/job.rows.js';

export function inRunSpan({ id, attempts, traceparent }: ClaimedJob, run: () => Promise<void>): Promise<void> {
  if (!isTracing()) return run();
  const about = {
    kind: SpanKind.CONSUMER,
    parent: traceparent === null ? null : { traceparent },
    attributes: { 'kiln.job.id': encodeId('job', id), 'kiln.job.attempt': attempts },
  };
  return inSpan('run job', about, run);
}

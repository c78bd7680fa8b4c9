// An event as people read it.
import type { StreamedEvent } from '@kiln/sdk';
import { cleanLine } from '../../terminal/clean.js';
import { formatPercent } from '../../terminal/format.js';

/** What the event is about, and what it says. */
export function summaryOf(event: StreamedEvent): { about: string; detail: string } {
  const data = event.data as Readonly<Record<string, unknown>>;
  const text = (name: string) => (typeof data[name] === 'string' ? cleanLine(data[name]) : '');
  const about = text('file_id') || text('connection_id') || text('webhook_id') || text('job_id');
  if (event.type === 'job.progress')
    return { about, detail: `${cleanLine(event.data.step)} ${formatPercent(event.data.progress)}` };
  const error = data['error'] as { code?: string; message?: string } | undefined;
  const reason = error ? `: ${cleanLine(error.message ?? '')} (${error.code})` : '';
  return { about, detail: `${text('filename') || text('type')}${reason}` };
}

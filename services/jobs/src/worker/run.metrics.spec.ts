import { expect, it } from '@jest/globals';
import { Metrics } from '@kiln/platform';
import { RunMetrics, type EndedRun } from './run.metrics.js';

const NOW = Date.parse('2026-11-21T10:05:00.000Z');
/** A UUID of version 7 whose time is 5 minutes before. */
const jobId = '019aa5e5-e4e0-7000-8000-000000000000'.replace(/^.{13}/, () => {
  const time = (NOW - 300_000).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
});
const step = { error: null, started_at: '2026-11-21T10:04:00.000Z', ended_at: '2026-11-21T10:04:10.000Z' };

function ended(outcome: 'completed' | 'failed', attemptsBeforeRetry = 0): Promise<string> {
  const metrics = new Metrics('jobs', 'worker');
  const steps = [
    { ...step, step: 'extract', provider: 'mistral', status: 'failed' },
    { ...step, step: 'extract', provider: 'document_extractor', status: 'completed' },
    {
      ...step,
      step: 'index',
      provider: null,
      status: 'running',
      started_at: '2026-11-21T10:04:57.000Z',
      ended_at: null,
    },
  ];
  const run = { job: { id: jobId, attempts_before_retry: attemptsBeforeRetry }, report: { steps } };
  new RunMetrics(metrics).ended(run as unknown as EndedRun, outcome, NOW);
  return metrics.text();
}

const sumOf = (text: string, labels: string) =>
  new RegExp(String.raw`^kiln_job_step_seconds_sum\{service="jobs",role="worker",${labels}\} (\S+)$`, 'm').exec(
    text,
  )?.[1];

it('a run shows the time of each step by engine, and its open step ends as the run does', async () => {
  const text = await ended('failed');
  expect(sumOf(text, 'step="extract",engine="mistral",outcome="failed"')).toBe('10');
  expect(sumOf(text, 'step="extract",engine="document_extractor",outcome="completed"')).toBe('10');
  expect(sumOf(text, 'step="index",engine="none",outcome="failed"')).toBe('3');
});

it('a completed job shows the time since its request, unless a caller has retried it', async () => {
  expect(await ended('completed')).toMatch(/^kiln_job_completion_seconds_sum\{.*\} 300$/m);
  expect(await ended('completed', 2)).not.toMatch(/^kiln_job_completion_seconds_sum/m);
  expect(await ended('failed')).not.toMatch(/^kiln_job_completion_seconds_sum/m);
});

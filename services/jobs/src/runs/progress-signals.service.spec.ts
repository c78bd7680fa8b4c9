import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { encodeId, type JobProgress } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import type { RunReport } from './domain/run-report.js';
import { ProgressSignals } from './progress-signals.service.js';

const reportOf = (step: string, progress: number): RunReport => ({
  step,
  progress,
  provider: null,
  contentType: null,
  steps: [],
});

describe('progress signals', () => {
  let sent: [tenantId: string, progress: JobProgress][];
  let signals: ProgressSignals;
  const job = { tenant_id: uuidv7(), id: uuidv7(), file_id: uuidv7(), space: 'a' };
  const run = { job, report: null as RunReport | null };
  const change = (step: string, progress: number): void => {
    run.report = reportOf(step, progress);
    signals.note(run);
  };
  const steps = () => sent.map(([, { step }]) => step);
  beforeEach(() => {
    jest.useFakeTimers();
    sent = [];
    signals = new ProgressSignals({ send: (...signal) => void sent.push(signal) });
  });
  afterEach(() => void jest.useRealTimers());

  it('of a run are sent at its first step, and then at most once a second with the latest', () => {
    change('extract', 0.1);
    const ids = { job_id: encodeId('job', job.id), file_id: encodeId('file', job.file_id) };
    expect(sent).toStrictEqual([[job.tenant_id, { ...ids, space: 'a', step: 'extract', progress: 0.1 }]]);
    change('metadata', 0.5);
    change('embed', 0.6);
    jest.advanceTimersByTime(999);
    expect(steps()).toStrictEqual(['extract']);
    jest.advanceTimersByTime(1);
    expect(steps()).toStrictEqual(['extract', 'embed']);
    jest.advanceTimersByTime(5_000);
    // Nothing has changed since.
    expect(steps()).toHaveLength(2);
    change('index', 0.8);
    expect(steps()).toStrictEqual(['extract', 'embed', 'index']);
  });

  it('of a run stop when it ends', () => {
    change('extract', 0.1);
    change('index', 0.8);
    signals.remove(run);
    jest.advanceTimersByTime(5_000);
    expect(steps()).toStrictEqual(['extract']);
  });
});

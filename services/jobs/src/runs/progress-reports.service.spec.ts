import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { unavailable } from '@kiln/contracts';
import type { RunReport } from './domain/run-report.js';
import type { Lease } from '../leases/lease.store.js';
import { silentLogger } from '../test/jobs-harness.js';
import { ProgressReports } from './progress-reports.service.js';

type Written = { lease: Lease; report: RunReport }[];

const runOf = (jobId: string) => ({
  job: { tenant_id: 'tenant', id: jobId, file_id: 'file', space: 'default' },
  lease: { tenantId: 'tenant', jobId, fence: 1, leaseId: 'lease' },
  report: { step: 'extract', progress: 0.1, provider: null, contentType: null, steps: [] } as RunReport,
});

describe('progress reports', () => {
  let written: string[][];
  let reports: ProgressReports;
  /** What the database answers to reports of these jobs. */
  let refused: (jobIds: string[]) => Error | null;
  beforeEach(() => {
    jest.useFakeTimers();
    written = [];
    refused = () => null;
    const report = (runs: Written) => {
      const refusal = refused(runs.map(({ lease }) => lease.jobId));
      if (refusal) return Promise.reject(refusal);
      written.push(runs.map(({ lease, report: { step } }) => `${lease.jobId} ${step}`));
      return Promise.resolve();
    };
    reports = new ProgressReports({ report }, { note: () => undefined, remove: () => undefined }, silentLogger);
  });
  afterEach(() => void jest.useRealTimers());

  it('of all runs are written together once a second, with their latest state', () => {
    const [a, b] = [runOf('a'), runOf('b')];
    reports.note(a);
    reports.note(b);
    reports.note(a);
    a.report = { ...a.report, step: 'index' };
    jest.advanceTimersByTime(999);
    expect(written).toStrictEqual([]);
    jest.advanceTimersByTime(1);
    expect(written).toStrictEqual([['a index', 'b extract']]);
    jest.advanceTimersByTime(5_000);
    // Nothing has changed since.
    expect(written).toHaveLength(1);
  });

  it('are written one by one when the database refuses one of them, so that the others are written', async () => {
    refused = (jobIds) => (jobIds.includes('b') ? new Error('integer out of range') : null);
    for (const jobId of ['a', 'b', 'c']) reports.note(runOf(jobId));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(written).toStrictEqual([['a extract'], ['c extract']]);
  });

  it('are not tried one by one while the database is away', async () => {
    let calls = 0;
    refused = () => (++calls === 1 ? unavailable('The database') : null);
    for (const jobId of ['a', 'b']) reports.note(runOf(jobId));
    await jest.advanceTimersByTimeAsync(1_000);
    expect([calls, written]).toStrictEqual([1, []]);
  });

  it('of a run that ends within the second are written with its end only', () => {
    const [a, b] = [runOf('a'), runOf('b')];
    reports.note(a);
    reports.note(b);
    reports.remove(a);
    jest.advanceTimersByTime(1_000);
    expect(written).toStrictEqual([['b extract']]);
  });
});

// Real: Postgres. Faked: nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { finishedRun, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { statedEvents } from '../test/stated-events.js';
import type { FinishedRun } from './completion.store.js';

describe('the events of runs that complete together', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  async function finish(count: number): Promise<FinishedRun[]> {
    await kiln.addMany(uuidv7(), count);
    return (await kiln.claims.claim(count)).jobs.map(finishedRun);
  }
  const lose = ({ lease }: FinishedRun) =>
    kiln.leases.release(lease, { error: null, counted: false, delaySeconds: 600 });
  const sorted = (ids: string[]) => ids.toSorted();
  const appended = async () => sorted((await statedEvents(kiln.database)).map(({ data }) => data.job_id ?? ''));
  const jobsOf = (runs: FinishedRun[]) => sorted(runs.map(({ lease }) => encodeId('job', lease.jobId)));

  it('are those of the completed runs only', async () => {
    const finished = await finish(100);
    const lost = [finished[0], finished[41], finished[99]] as FinishedRun[];
    for (const run of lost) await lose(run);
    expect(await kiln.completions.complete(finished)).toStrictEqual(lost);
    expect(await appended()).toStrictEqual(jobsOf(finished.filter((run) => !lost.includes(run))));
  });

  it('are none when no run was completed', async () => {
    const finished = await finish(3);
    for (const run of finished) await lose(run);
    expect(await kiln.completions.complete(finished)).toStrictEqual(finished);
    expect(await appended()).toStrictEqual([]);
  });

  it('are appended once when the runs are completed twice', async () => {
    const finished = await finish(5);
    expect(await kiln.completions.complete(finished)).toStrictEqual([]);
    expect(await kiln.completions.complete(finished)).toStrictEqual(finished);
    expect(await appended()).toStrictEqual(jobsOf(finished));
  });

  it('wake the relay', async () => {
    let wakeUps = 0;
    const stop = kiln.database.onEventsAppended(() => wakeUps++);
    await kiln.completions.complete(await finish(1));
    stop();
    expect(wakeUps).toBeGreaterThan(0);
  });
});

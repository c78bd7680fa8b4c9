// Real: worker processes and their sandboxes, Postgres, NATS, the object store. Faked: the files and search services, as
// responders on the bus that record their calls; and the expiry of a dead worker's leases, which is accelerated.
//
// A first job shows all effects of a run. A call gives up after 5 s, so each call has a job of its own, whose worker is killed as soon as the
// call is held. Then one worker holds a job at each transfer and one in the middle of its completion. It is killed, too.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { CrashHarness, type CrashJob, type TEXTS } from '../test/crash/crash-harness.js';
import type { Boundary, Effect } from '../test/crash/watch.js';

type Size = keyof typeof TEXTS;

const PATIENCE = { timeoutMs: 90_000 };

interface Step {
  work: Effect[];
  /** When these were done, in whatever order, the work is done for good. */
  until: Effect[];
}

/** What was extracted of a large text is stored, and not extracted again; variants and the index come with the end. */
const STEPS: Step[] = [
  { work: ['GET source'], until: ['PUT extraction.json', 'PUT markdown.md'] },
  { work: ['PUT chunks.ndjson', 'index'], until: ['finish'] },
];

describe('when a worker is killed', () => {
  let crash: CrashHarness;
  beforeAll(async () => {
    crash = await CrashHarness.start();
    await crash.startWorker();
  });
  afterAll(() => crash.close());

  const effectsOf = ({ id }: CrashJob): Effect[] =>
    crash.watch.boundariesOf(id).flatMap((boundary) => (boundary.startsWith('after ') ? [boundary.slice(6)] : []));

  async function completed(size: Size): Promise<CrashJob> {
    const job = await crash.add(size);
    await ends(job);
    return job;
  }
  const ends = (job: CrashJob) =>
    eventually(async () => expect((await crash.stored(job)).status).toBe('completed'), PATIENCE);

  async function held(size: Size, boundaries: Boundary[]): Promise<CrashJob[]> {
    const jobs = await Promise.all(boundaries.map((boundary) => crash.add(size, boundary)));
    await eventually(async () => {
      const waiting = await Promise.all(jobs.map(isHeld));
      expect(boundaries.filter((_, index) => !waiting[index])).toStrictEqual([]);
    }, PATIENCE);
    return jobs;
  }
  /** A call that was held for too long has failed its run, and the job is run again. */
  const isHeld = async (job: CrashJob) =>
    crash.watch.isHeld(job.id) && (await crash.stored(job)).status === 'processing';

  /** A job whose completion waits for a lock, until the returned function is called. */
  async function completing(size: Size): Promise<[job: CrashJob, unlock: () => Promise<void>]> {
    const [job] = await held(size, ['before finish']);
    if (!job) throw new Error('no job');
    const [holder, observer] = [
      await crash.kiln.database.dedicatedClient(),
      await crash.kiln.database.dedicatedClient(),
    ];
    await holder.query('begin');
    await holder.query('select 1 from jobs where id = $1 for update', [job.jobId]);
    crash.watch.release(job.id);
    // Only a superuser sees what others run.
    await observer.query('set role none');
    const waiting = `select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query ~ 'completed'`;
    await eventually(async () => expect((await observer.query(waiting)).rowCount).toBe(1), PATIENCE);
    return [
      job,
      async () => {
        await holder.query('commit');
        await eventually(async () => expect((await observer.query(waiting)).rowCount).toBe(0), PATIENCE);
        await Promise.all([holder.end(), observer.end()]);
      },
    ];
  }

  /** Calls `meanwhile` while there is no worker. */
  async function replaceWorker(meanwhile = async () => {}): Promise<void> {
    await crash.killWorker();
    await meanwhile();
    await crash.reclaim();
    await crash.startWorker();
  }

  async function endsOnce(job: CrashJob, variants: string[]): Promise<void> {
    await ends(job);
    await eventually(() => expect(crash.completionsOf(job)).toHaveLength(1), PATIENCE);
    expect(await crash.kiln.eventsOf(job.jobId)).toStrictEqual(['file.processing.completed']);
    expect(crash.variantsOf(job)).toStrictEqual(variants);
  }

  for (const size of ['small', 'large'] as const) {
    it(`each of its jobs on a ${size} text is completed once, by another worker that repeats no stored step`, async () => {
      const done = await completed(size);
      const effects = effectsOf(done);
      const { completed_at: doneAt } = await crash.stored(done);
      const variants = crash.variantsOf(done);
      expect(variants).toHaveLength(3);
      expect(effects.filter((effect) => effect === 'PUT markdown.md')).toHaveLength(size === 'large' ? 1 : 0);

      const boundaries = [`before ${effects[0]}`, ...effects.map((effect) => `after ${effect}`)];
      // They are stored at the same time: each may be there without the other.
      if (size === 'large') boundaries.push('before PUT extraction.json', 'before PUT markdown.md');
      const transfers = boundaries.filter((boundary) => / (GET|PUT) /.test(boundary));
      const failures: string[] = [];
      const check = (boundary: string, ended: () => Promise<void>) =>
        ended().catch((error: unknown) => void failures.push(`${boundary}: ${String(error)}`));
      const checkContinued = (boundary: string, job: CrashJob, had: Effect[]) =>
        check(boundary, async () => {
          await endsOnce(job, variants);
          expect((await crash.stored(job)).lost_leases).toBe(1);
          const again = effectsOf(job).slice(had.length);
          const stored = STEPS.filter(({ until }) => until.every((effect) => had.includes(effect)));
          expect(stored.flatMap(({ work }) => work).filter((effect) => again.includes(effect))).toStrictEqual([]);
        });

      for (const boundary of boundaries.filter((each) => !transfers.includes(each))) {
        for (const job of await held(size, [boundary])) {
          const had = effectsOf(job);
          await replaceWorker();
          await checkContinued(boundary, job, had);
        }
      }
      const jobs = await held(size, transfers);
      const [inCompletion, unlock] = await completing(size);
      const before = jobs.map(effectsOf);
      await replaceWorker(unlock);
      for (const [index, job] of jobs.entries()) {
        await checkContinued(transfers[index] ?? '', job, before[index] ?? []);
      }
      await check('in the middle of its completion', () => endsOnce(inCompletion, variants));
      await check('right after its completion', async () => {
        await endsOnce(done, variants);
        expect([(await crash.stored(done)).completed_at, effectsOf(done)]).toStrictEqual([doneAt, effects]);
      });
      expect(failures).toStrictEqual([]);
    });
  }
});

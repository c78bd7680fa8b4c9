// Real: worker processes and their sandboxes, Postgres, NATS, the object store. Faked: the files and search services, as
// responders on the bus that keep what they are told; and the running out of a dead worker's leases, which is hurried.
//
// A first job shows all effects that a run has. Then one job is held at each of them, one in the middle of its completion,
// and one is just completed, all at the same time in the same worker: that one is killed, and another takes over.
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { CrashHarness, type CrashJob } from '../test/crash/crash-harness.js';
import type { Boundary, Effect } from '../test/crash/watch.js';

const PATIENCE = { timeoutMs: 90_000 };

const variantsIn = (effects: Effect[]) =>
  effects.flatMap((effect) => (effect.startsWith('commit ') ? [effect.slice('commit '.length)] : []));

interface Step {
  work: Effect[];
  /** When this was done, the work is done for good. */
  until: Effect;
}

/** Each variant is a step. What was extracted is kept before that, and later copied, not extracted again. */
function stepsOf(effects: Effect[]): Step[] {
  const steps: Step[] = [{ work: ['GET source'], until: 'PUT markdown.md' }];
  let work: Effect[] = [];
  for (const effect of effects.slice(effects.indexOf('PUT markdown.md') + 1)) {
    work.push(effect);
    if (!effect.startsWith('commit ')) continue;
    steps.push({ work, until: effect });
    work = [];
  }
  return steps;
}

describe('when a worker is killed', () => {
  let crash: CrashHarness;
  before(async () => {
    crash = await CrashHarness.start();
    await crash.startWorker();
  });
  after(() => crash.close());

  const effectsOf = ({ id }: CrashJob): Effect[] =>
    crash.watch.boundariesOf(id).flatMap((boundary) => (boundary.startsWith('after ') ? [boundary.slice(6)] : []));

  async function completed(): Promise<CrashJob> {
    const job = await crash.add();
    await ends(job);
    return job;
  }
  const ends = (job: CrashJob) =>
    eventually(async () => assert.equal((await crash.stored(job)).status, 'completed'), PATIENCE);

  async function held(boundaries: Boundary[]): Promise<CrashJob[]> {
    const jobs = await Promise.all(boundaries.map((boundary) => crash.add(boundary)));
    await eventually(async () => {
      const waiting = await Promise.all(jobs.map(isHeld));
      assert.deepEqual(
        boundaries.filter((_, index) => !waiting[index]),
        [],
      );
    }, PATIENCE);
    return jobs;
  }
  /** A call that was held for too long has ended its run, which then begins anew. */
  const isHeld = async (job: CrashJob) =>
    crash.watch.isHeld(job.id) && (await crash.stored(job)).status === 'processing';

  /** A job whose completion waits for a lock, until the returned function is called. */
  async function completing(): Promise<[job: CrashJob, unlock: () => Promise<void>]> {
    const [job] = await held(['before finish']);
    assert.ok(job);
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
    await eventually(async () => assert.equal((await observer.query(waiting)).rowCount, 1), PATIENCE);
    return [
      job,
      async () => {
        await holder.query('commit');
        await eventually(async () => assert.equal((await observer.query(waiting)).rowCount, 0), PATIENCE);
        await Promise.all([holder.end(), observer.end()]);
      },
    ];
  }

  async function endsOnce(job: CrashJob, variants: string[]): Promise<void> {
    await ends(job);
    await eventually(() => assert.equal(crash.completionsOf(job).length, 1), PATIENCE);
    assert.deepEqual(await crash.kiln.eventsOf(job.jobId), ['file.processing.completed']);
    assert.deepEqual(crash.variantsOf(job), variants);
  }

  it('each of its jobs is completed once, by another worker that does no finished step again', async (context) => {
    const done = await completed();
    const effects = effectsOf(done);
    const { completed_at: doneAt } = await crash.stored(done);
    const variants = variantsIn(effects);
    assert.ok(variants.length >= 3, effects.join(', '));

    const boundaries = [`before ${effects[0]}`, ...effects.map((effect) => `after ${effect}`)];
    // Calls give up after some seconds, so they come last.
    const calls = boundaries.filter((boundary) => !/ (GET|PUT) /.test(boundary));
    const transfers = boundaries.filter((boundary) => !calls.includes(boundary));
    const jobs = [...(await held(transfers)), ...(await held(calls))];
    const [inCompletion, unlock] = await completing();
    const before = jobs.map(effectsOf);
    await crash.killWorker();
    await unlock();
    await crash.startWorker();
    await crash.reclaim();

    for (const [index, boundary] of [...transfers, ...calls].entries()) {
      await context.test(boundary, async () => {
        const [job, had] = [jobs[index], before[index]];
        assert.ok(job && had);
        await endsOnce(job, variants);
        assert.equal((await crash.stored(job)).lost_leases, 1);
        const again = effectsOf(job).slice(had.length);
        const finished = stepsOf(effects).filter(({ until }) => had.includes(until));
        assert.deepEqual(
          finished.flatMap(({ work }) => work).filter((effect) => again.includes(effect)),
          [],
        );
      });
    }
    await context.test('in the middle of its completion', () => endsOnce(inCompletion, variants));
    await context.test('right after its completion', async () => {
      await endsOnce(done, variants);
      assert.deepEqual([(await crash.stored(done)).completed_at, effectsOf(done)], [doneAt, effects]);
    });
  });
});

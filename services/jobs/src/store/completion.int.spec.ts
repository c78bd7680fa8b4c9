// Real: Postgres. Faked: nothing.
import { envelopesOf, type StoredBatch } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { finishedRun, openDatabase, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { complete, CompletionStore, type FinishedRun } from './completion.store.js';

interface PlanNode {
  'Node Type': string;
  'Subplan Name'?: string;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

describe('the events of runs that complete together', () => {
  let kiln: JobsHarness;
  before(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  after(() => kiln.close());

  async function finish(count: number): Promise<FinishedRun[]> {
    await kiln.addMany(uuidv7(), count);
    return (await kiln.claims.turn(count)).jobs.map(finishedRun);
  }
  const lose = ({ lease }: FinishedRun) =>
    kiln.leases.release(lease, { error: null, counted: false, delaySeconds: 600 });
  async function written() {
    const batches = await kiln.sql<StoredBatch & { events: number }>('select * from outbox_batches order by sequence');
    return batches.map((batch) => ({
      envelopes: envelopesOf(batch),
      events: batch.events,
      isPacked: batch.packed !== null,
    }));
  }
  const batchOf = (runs: FinishedRun[], isPacked = false) => ({
    envelopes: runs.map(({ envelope }) => envelope),
    events: runs.length,
    isPacked,
  });

  it('are written as one row', async () => {
    const finished = await finish(5);
    assert.deepEqual(await kiln.completions.complete(finished), []);
    assert.deepEqual(await written(), [batchOf(finished)]);
    assert.deepEqual(await kiln.sql('select 1 from outbox'), []);
  });

  it('are those of the completed runs and of no missed one, whichever they are', async () => {
    const [first, second, third, fourth, fifth] = (await finish(5)) as [
      FinishedRun,
      FinishedRun,
      FinishedRun,
      FinishedRun,
      FinishedRun,
    ];
    for (const lost of [first, third, fifth]) await lose(lost);
    const finished = [first, second, third, fourth, fifth];
    assert.deepEqual(await kiln.completions.complete(finished), [first, third, fifth]);
    assert.deepEqual(await written(), [batchOf([second, fourth])]);
  });

  it('are nothing when every run was missed', async () => {
    const finished = await finish(3);
    for (const lost of finished) await lose(lost);
    assert.deepEqual(await kiln.completions.complete(finished), finished);
    assert.deepEqual(await written(), []);
  });

  it('ring for the relay', async () => {
    let rings = 0;
    const stop = kiln.database.onEventsAppended(() => rings++);
    await kiln.completions.complete(await finish(1));
    stop();
    assert.ok(rings > 0);
  });

  it('are packed when there are many, and a missed one among them is left out', async () => {
    const finished = await finish(100);
    const lost = [finished[0], finished[41], finished[99]] as FinishedRun[];
    for (const run of lost) await lose(run);
    assert.deepEqual(await kiln.completions.complete(finished), lost);
    const completed = finished.filter((run) => !lost.includes(run));
    assert.deepEqual(await written(), [batchOf(completed, true)]);
  });

  it('and missed runs are looked for only when there are any', async () => {
    const finished = await finish(4);
    assert.equal(await searches(finished.slice(0, 2)), 0);
    await lose(finished[2] as FinishedRun);
    assert.equal(await searches(finished.slice(2)), 1);
  });

  /** How often the statement, when it completes these runs, looks for missed ones. */
  async function searches(finished: FinishedRun[]): Promise<number> {
    let count = -1;
    const explaining = new CompletionStore({
      query: async ({ text }, values) => {
        const [row] = await kiln.sql<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          `explain (analyze, format json) ${text}`,
          values,
        );
        const nodes = row?.['QUERY PLAN'].flatMap(({ Plan }) => flatten(Plan)) ?? [];
        const missed = nodes.find((node) => node['Subplan Name'] === 'CTE missed');
        const joins = missed ? flatten(missed).filter((node) => node['Node Type'].includes('Join')) : [];
        assert.equal(joins.length, 1);
        count = joins[0]?.['Actual Loops'] ?? -1;
        return [];
      },
    });
    await explaining.complete(finished);
    return count;
  }

  it('do not make the statement be planned anew, however long their text is', async () => {
    await kiln.addMany(uuidv7(), 120);
    const database = openDatabase(kiln.databaseUrl, 1);
    const completions = new CompletionStore(database);
    for (let round = 1; round <= 12; round++) {
      const { jobs } = await kiln.claims.turn(10);
      assert.deepEqual(await completions.complete(jobs.map(finishedRun)), []);
    }
    const text = 'select custom_plans::int, generic_plans::int from pg_prepared_statements where name = $1';
    const plans = await database.query({ name: '', text }, [complete.name]);
    await database.close();
    assert.deepEqual(plans, [{ custom_plans: 5, generic_plans: 7 }]);
  });
});

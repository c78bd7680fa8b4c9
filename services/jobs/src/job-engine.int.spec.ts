/** @own-modules */
// Real: Postgres, the stores, claims, leases, ends of runs and reclaiming. Faked: what runs do, and the passing of time, which
// is simulated by moving every stored time back. A model of a few rules (test/model) is compared with the engine after
// every step, whatever happens and in whatever order.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import { JobEngine } from './test/model/job-engine.js';
import { JobModel } from './test/model/job-model.js';
import { claim, complete, moveClock, reclaim, type Operation } from './test/model/operations.js';
import { concurrentPlans, contest, lonelyPlans, TENANTS, type Plan, type Scene } from './test/model/plans.js';
import { setProcessClocks } from './test/model/process-clocks.js';
import { LEASE_UNITS } from './test/model/run.js';

fc.configureGlobal({ seed: testSeed() });

const COMMANDS_MAX = 60;
const AT_ONCE_MAX = 4;
const SHRINK_LIMIT_MS = 120_000;

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => orders(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}

/** What the model becomes when these things happen in this order; null when they can't have. */
function followed(model: JobModel, happened: { operation: Operation; answer: unknown }[]): JobModel | null {
  const next = model.copy();
  return happened.every(({ operation, answer }) => operation.follow(next, answer)) ? next : null;
}

/** As toStrictEqual says it, which does not mind that a copied object has Node's own prototype. */
function isWhat(seen: unknown, expected: unknown): boolean {
  try {
    expect(seen).toStrictEqual(expected);
    return true;
  } catch {
    return false;
  }
}

/** Does all of it at the same time; it has to have come out as if it had happened in some order. */
async function perform(operations: Operation[], model: JobModel, engine: JobEngine): Promise<void> {
  const answers = await Promise.all(operations.map((operation) => operation.perform(engine)));
  const happened = operations.map((operation, index) => ({ operation, answer: answers[index] }));
  const seen = await engine.visible();
  const said = `${operations.map(({ title }) => title).join(' | ')} answered ${JSON.stringify(answers)}`;
  for (const { events } of seen) {
    const completions = events.filter((type) => type === 'file.processing.completed');
    if (completions.length > 1) throw new Error(`${said}, and a job was completed ${completions.length} times`);
  }
  let allowed: JobModel | null = null;
  for (const order of orders(happened)) {
    const next = followed(model, order);
    if (next && isWhat(seen, next.visible())) return void Object.assign(model, next);
    allowed ??= next;
  }
  if (!allowed) throw new Error(`${said}, which is not allowed after ${JSON.stringify(model, null, 1)}`);
  expect({ said, seen }).toStrictEqual({ said, seen: allowed.visible() });
}

class Together implements fc.AsyncCommand<JobModel, JobEngine> {
  private done = '';

  constructor(private readonly plans: Plan[]) {}

  check(model: Readonly<JobModel>): boolean {
    return this.operations(model).length > 0;
  }

  async run(model: JobModel, engine: JobEngine): Promise<void> {
    const operations = this.operations(model);
    this.done = operations.map(({ title }) => title).join(' | ');
    await perform(operations, model, engine);
  }

  toString(): string {
    return `[${this.done}]`;
  }

  private operations({ jobs, runs }: Omit<Scene, 'nextJob'>): Operation[] {
    let next = jobs.length;
    const scene = { jobs, runs, nextJob: () => next++ };
    return this.plans.map((plan) => plan(scene)).filter((operation) => operation !== null);
  }
}

/** Without further operations, and when every run completes, each job has to end. */
async function workOff(model: JobModel, engine: JobEngine): Promise<void> {
  setProcessClocks(0);
  await perform([moveClock(model.latest - model.now + LEASE_UNITS)], model, engine);
  await perform([reclaim], model, engine);
  while (model.jobs.some((job) => model.isDue(job))) {
    await perform([claim], model, engine);
    const run = model.runs.at(-1);
    if (run) await perform([complete(run)], model, engine);
  }
  await perform([claim], model, engine);
  for (const { status } of model.jobs.filter(({ deleted, ready }) => ready && !deleted))
    expect(['completed', 'failed', 'cancelled']).toContain(status);
}

describe('the job engine', () => {
  let engine: JobEngine;
  beforeAll(async () => {
    engine = await JobEngine.start(TENANTS);
  });
  afterAll(() => engine.close());

  /** fast-check's report of a failure names the seed and the path that repeat it. */
  async function holds(
    commands: fc.Arbitrary<fc.AsyncCommand<JobModel, JobEngine>>[],
    { keepsOrder, numRuns }: { keepsOrder: boolean; numRuns: number },
  ): Promise<void> {
    const sequences = fc.commands(commands, { maxCommands: COMMANDS_MAX, size: 'max' });
    const property = fc.asyncProperty(sequences, async (sequence) => {
      await engine.begin();
      const model = Object.assign(new JobModel(), { keepsOrder });
      await fc.asyncModelRun(() => ({ model, real: engine }), sequence);
      await workOff(model, engine);
    });
    // A failure is made smaller for as long as this, and reported as far as that got.
    await fc.assert(property, { numRuns, interruptAfterTimeLimit: SHRINK_LIMIT_MS });
  }
  const alone = (plan: fc.Arbitrary<Plan>) => plan.map((each) => new Together([each]));

  it('loses no job, ends each once, stays fair, and ignores writes under a lost lease, in any order of operations', async () => {
    await holds([...concurrentPlans, ...lonelyPlans].map(alone), { keepsOrder: true, numRuns: 30 });
  });

  it('is linearizable: concurrent operations have the result of some order', async () => {
    const group = fc.array(fc.oneof(...concurrentPlans), { minLength: 2, maxLength: AT_ONCE_MAX });
    const together = [group, contest(AT_ONCE_MAX)].map((plans) => plans.map((each) => new Together(each)));
    const commands = [...together, ...together, ...together, ...[...concurrentPlans, ...lonelyPlans].map(alone)];
    await holds(commands, { keepsOrder: false, numRuns: 20 });
  });
});

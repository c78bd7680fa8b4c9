// Real: Postgres. Each shared admission represents a worker.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CircuitOpenError } from '@kiln/model-clients/admission/engine-admission';
import { NoRoomError } from '@kiln/model-clients/admission/bulkhead';
import { eventually } from '@kiln/testing';
import { silentLogger, startJobs, type JobsHarness } from '../test/jobs-harness.js';
import { EngineAdmissions } from './engine-admissions.service.js';
import { EngineStore } from './engine.store.js';

const never = new AbortController().signal;
const ENGINE = { provider: 'document_extractor', url: 'https://engine.example', owner: 'operator' };

describe('the shared admission of an engine', () => {
  let kiln: JobsHarness;
  beforeAll(async () => {
    kiln = await startJobs();
  });
  afterEach(() => kiln.clear());
  afterAll(() => kiln.close());

  const worker = (
    limits: { concurrency?: number; requestsPerMinute?: number; patienceMs?: number } = {},
    engine = ENGINE,
  ) =>
    new EngineAdmissions(new EngineStore(kiln.database), silentLogger).admissionFor(engine, {
      concurrency: 2,
      requestsPerMinute: null,
      patienceMs: 0,
      ...limits,
    });
  const states = () => kiln.sql<{ state: { calls: object } }>('select state from engines');

  it('admits no more requests at a time than the limit, however many workers ask at once', async () => {
    const workers = Array.from({ length: 6 }, () => worker());
    const entered = await Promise.allSettled(workers.map((admission) => admission.enter(never)));
    const calls = entered.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const refused = entered.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(calls).toHaveLength(2);
    expect(refused.every((error) => error instanceof NoRoomError)).toBe(true);
    await calls[0]?.end({ kind: 'succeeded' });
    await (await worker().enter(never)).end({ kind: 'succeeded' });
    await calls[1]?.end({ kind: 'succeeded' });
  });

  it('lets a waiting request in when another worker’s request ends, and ends the wait of an aborted one', async () => {
    const call = await worker({ concurrency: 1 }).enter(never);
    const waiting = worker({ concurrency: 1, patienceMs: 60_000 }).enter(never);
    const stop = new AbortController();
    const aborted = worker({ concurrency: 1, patienceMs: 60_000 }).enter(stop.signal);
    stop.abort(new Error('stopped'));
    await expect(aborted).rejects.toThrow('stopped');
    await call.end({ kind: 'succeeded' });
    await (await waiting).end({ kind: 'succeeded' });
    expect((await states())[0]?.state.calls).toStrictEqual({});
  });

  it('gets the places of a dead worker back', async () => {
    const dead = await worker({ concurrency: 1 }).enter(never);
    await expect(worker({ concurrency: 1 }).enter(never)).rejects.toBeInstanceOf(NoRoomError);
    await kiln.sql(
      `update engines set state = regexp_replace(state::text, '"expires_at": \\d+', '"expires_at": 1')::jsonb`,
    );
    await (await worker({ concurrency: 1 }).enter(never)).end({ kind: 'succeeded' });
    await dead.end({ kind: 'succeeded' });
  });

  it('shares its rate, the pauses that the engine asks for, and its circuit with all workers', async () => {
    const paced = worker({ requestsPerMinute: 1 });
    await (await paced.enter(never)).end({ kind: 'succeeded' });
    await expect(worker({ requestsPerMinute: 1 }).enter(never)).rejects.toMatchObject({ afterMs: expect.any(Number) });
    await kiln.clear();
    await (await worker().enter(never)).end({ kind: 'succeeded', pauseMs: 60_000 });
    const paused: unknown = await worker()
      .enter(never)
      .catch((error: unknown) => error);
    expect((paused as NoRoomError).afterMs).toBeGreaterThan(30_000);
    await kiln.clear();
    // Each failure is another worker's.
    for (let failure = 0; failure < 5; failure++) await (await worker().enter(never)).end({ kind: 'failed' });
    await kiln.sql(
      `update engines set state = state || jsonb_build_object('open_until', (state->>'open_until')::bigint + 3600000)`,
    );
    await expect(worker().enter(never)).rejects.toBeInstanceOf(CircuitOpenError);
    // Another engine, and the same one with another owner's key, are not affected.
    for (const other of [
      { ...ENGINE, url: 'https://other.example' },
      { ...ENGINE, owner: 'organization' },
    ])
      await (await worker({}, other).enter(never)).end({ kind: 'succeeded' });
  });

  it('ends a request although that cannot be recorded, and removes engines that nobody uses', async () => {
    const call = await worker().enter(never);
    await kiln.sql('alter table engines rename to engines_away');
    await call.end({ kind: 'succeeded' });
    await kiln.sql('alter table engines_away rename to engines');
    await kiln.sql(`update engines set used_at = now() - interval '2 days'`);
    await (await worker({}, { ...ENGINE, url: 'https://new.example' }).enter(never)).end({ kind: 'succeeded' });
    await eventually(async () => expect(await states()).toHaveLength(1));
  });
});

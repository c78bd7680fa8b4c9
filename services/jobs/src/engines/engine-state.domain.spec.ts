import { expect, it } from '@jest/globals';
import { testSeed } from '@kiln/testing/seed';
import fc from 'fast-check';
import {
  admit,
  CALL_LEASE_MS,
  end,
  newEngine,
  renew,
  withLiveCalls,
  type EndedCall,
  type EngineLimitSettings,
  type EngineState,
} from './engine-state.domain.js';

fc.configureGlobal({ seed: testSeed() });

const limits = (more: Partial<EngineLimitSettings> = {}): EngineLimitSettings => ({
  concurrency: 2,
  requestsPerMinute: null,
  circuit: { failuresMax: 2, openMs: 1_000, openMsMax: 3_000 },
  ...more,
});

/** An engine with a clock that is set by hand. */
class Engine {
  state: EngineState = newEngine;
  now = 1_000_000;

  constructor(private readonly settings = limits()) {}

  enter(id: string) {
    const { state, admission } = admit(withLiveCalls(this.state, this.now), id, this.now, this.settings);
    this.state = state;
    return admission;
  }

  end(id: string, kind: EndedCall['kind'], pauseMs?: number): void {
    const outcome = pauseMs === undefined ? { kind } : { kind, pauseMs };
    this.state = end(this.state, id, this.now, outcome, this.settings);
  }

  fail(id: string): void {
    expect(this.enter(id).kind).toBe('admitted');
    this.end(id, 'failed');
  }
}

it('admits as many requests as the limit, and another when one ends or its worker has died', () => {
  const engine = new Engine();
  expect([engine.enter('a').kind, engine.enter('b').kind]).toStrictEqual(['admitted', 'admitted']);
  expect(engine.enter('c')).toStrictEqual({ kind: 'busy', afterMs: null });
  engine.end('a', 'succeeded');
  expect(engine.enter('c').kind).toBe('admitted');
  engine.now += CALL_LEASE_MS - 1;
  engine.state = renew(engine.state, ['c', 'gone'], engine.now);
  engine.now += 1;
  // `b` was not renewed.
  expect(engine.enter('d').kind).toBe('admitted');
  expect(engine.enter('e').kind).toBe('busy');
  expect(Object.keys(engine.state.calls)).toStrictEqual(['c', 'd']);
});

it('spaces requests evenly, and pauses for as long as the engine asks', () => {
  const engine = new Engine(limits({ requestsPerMinute: 60 }));
  engine.enter('a');
  expect(engine.enter('b')).toStrictEqual({ kind: 'busy', afterMs: 1_000 });
  engine.now += 1_000;
  expect(engine.enter('b').kind).toBe('admitted');
  engine.end('a', 'succeeded', 5_000);
  expect(engine.enter('c')).toStrictEqual({ kind: 'busy', afterMs: 5_000 });
});

it('opens the circuit after failures in a row, lets one probe through, and waits longer while probes fail', () => {
  const engine = new Engine();
  engine.fail('a');
  engine.enter('b');
  engine.end('b', 'succeeded');
  engine.fail('c');
  engine.fail('d');
  expect(engine.enter('e')).toStrictEqual({ kind: 'open', afterMs: 1_000 });
  for (const wait of [1_000, 2_000, 3_000, 3_000]) {
    expect(engine.enter('early')).toStrictEqual({ kind: 'open', afterMs: wait });
    engine.now += wait;
    expect(engine.enter('probe').kind).toBe('admitted');
    expect(engine.enter('second').kind).toBe('open');
    engine.end('probe', 'failed');
  }
  engine.now += 3_000;
  // A probe that shows nothing, and one whose worker dies, make room for the next.
  engine.enter('aborted');
  engine.end('aborted', 'abandoned');
  expect(engine.enter('dead').kind).toBe('admitted');
  engine.now += CALL_LEASE_MS;
  expect(engine.enter('probe').kind).toBe('admitted');
  engine.end('probe', 'succeeded');
  expect([engine.enter('f').kind, engine.enter('g').kind]).toStrictEqual(['admitted', 'admitted']);
});

it('does not count a failure of a request during which others succeeded, nor one of a dead worker', () => {
  const engine = new Engine(limits({ concurrency: 9 }));
  for (const id of ['a', 'b', 'c']) engine.enter(id);
  engine.now += 1;
  engine.end('a', 'succeeded');
  engine.end('b', 'failed');
  engine.end('c', 'failed');
  engine.end('unknown', 'failed');
  expect(engine.state.failures).toBe(0);
});

it('never admits more than the limit, and never a second probe, in any order of events', () => {
  const step = fc.record({
    what: fc.constantFrom('enter', 'succeeded', 'failed', 'abandoned', 'wait'),
    id: fc.nat(5),
    ms: fc.nat(CALL_LEASE_MS),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const engine = new Engine();
      let entered = 0;
      for (const { what, id, ms } of steps) {
        if (what === 'wait') engine.now += ms;
        else if (what === 'enter') engine.enter(`${id} ${entered++}`);
        else {
          const open = Object.keys(engine.state.calls);
          const call = open[id % Math.max(1, open.length)];
          if (call !== undefined) engine.end(call, what);
        }
        const live = withLiveCalls(engine.state, engine.now);
        expect(Object.keys(live.calls).length).toBeLessThanOrEqual(2);
        if (live.probe !== null) expect(live.calls).toHaveProperty([live.probe]);
      }
    }),
  );
});

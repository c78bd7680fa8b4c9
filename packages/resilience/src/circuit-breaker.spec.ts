// The clock is set by hand. Pings are faked.
import { describe, expect, it } from '@jest/globals';
import { CircuitBreaker, type CircuitBreakerOptions } from './circuit-breaker.js';

function sample(options: Partial<CircuitBreakerOptions> = {}) {
  const clock = { now: 0 };
  const limits = { failuresMax: 3, openMs: 100, openMsMax: 400, now: () => clock.now, ...options };
  const circuit = new CircuitBreaker(limits);
  const fail = (times: number) => {
    for (let call = 0; call < times; call++) circuit.begin().failed();
  };
  return { circuit, clock, fail };
}

describe('a circuit', () => {
  it('opens after several failures in a row, and says how long', () => {
    const { circuit, clock, fail } = sample();
    fail(2);
    circuit.begin().succeeded();
    fail(2);
    expect([circuit.state, circuit.waitMs]).toStrictEqual(['closed', 0]);
    fail(1);
    clock.now = 30;
    expect([circuit.state, circuit.waitMs]).toStrictEqual(['open', 70]);
  });

  it('lets exactly one call probe, and closes when that succeeds', () => {
    const { circuit, clock, fail } = sample();
    fail(3);
    clock.now = 100;
    expect([circuit.state, circuit.waitMs]).toStrictEqual(['half-open', 0]);
    const probe = circuit.begin();
    expect(circuit.waitMs).toBeGreaterThan(0);
    probe.succeeded();
    expect([circuit.state, circuit.waitMs]).toStrictEqual(['closed', 0]);
  });

  it('waits twice as long after each probe that fails, up to a maximum, and begins anew once it was closed', () => {
    const { circuit, clock, fail } = sample();
    fail(3);
    const waits = [circuit.waitMs];
    for (let probe = 0; probe < 3; probe++) {
      clock.now += circuit.waitMs;
      fail(1);
      waits.push(circuit.waitMs);
    }
    expect(waits).toStrictEqual([100, 200, 400, 400]);
    clock.now += circuit.waitMs;
    circuit.begin().succeeded();
    fail(3);
    expect(circuit.waitMs).toBe(100);
  });

  it('learns nothing from a probe that was abandoned: the next call probes', () => {
    const { circuit, clock, fail } = sample();
    fail(3);
    clock.now = 100;
    circuit.begin().abandoned();
    expect([circuit.state, circuit.waitMs]).toStrictEqual(['half-open', 0]);
    fail(1);
    expect(circuit.waitMs).toBe(200);
  });

  it('does not count a failure of a call that began before another call succeeded', () => {
    const { circuit, clock } = sample();
    const slow = [circuit.begin(), circuit.begin(), circuit.begin()];
    clock.now = 1;
    circuit.begin().succeeded();
    for (const call of slow) call.failed();
    expect(circuit.state).toBe('closed');
  });

  it('does not wait longer because of calls that began before it opened', () => {
    const { circuit, clock, fail } = sample();
    const slow = [circuit.begin(), circuit.begin()];
    fail(3);
    clock.now = 100;
    for (const call of slow) call.failed();
    expect([circuit.state, circuit.waitMs]).toStrictEqual(['half-open', 0]);
  });
});

describe('a circuit with a ping', () => {
  function pinged() {
    const asked: ((isAlive: boolean) => void)[] = [];
    let onAsked = () => {};
    const ping = () => {
      const answer = new Promise<boolean>((resolve) => asked.push(resolve));
      onAsked();
      return answer;
    };
    const nextPing = () => new Promise<void>((resolve) => (onAsked = resolve));
    return { asked, nextPing, ...sample({ ping, openMs: 1, openMsMax: 1 }) };
  }

  it('stays closed while the ping is under way, and when it is answered', async () => {
    const { circuit, asked, fail } = pinged();
    fail(5);
    expect([circuit.state, asked.length]).toStrictEqual(['closed', 1]);
    asked[0]?.(true);
    await Promise.resolve();
    expect([circuit.state, circuit.waitMs, asked.length]).toStrictEqual(['closed', 0, 1]);
  });

  it('opens when the ping fails, lets no call probe, and closes when a later ping is answered', async () => {
    const { circuit, clock, asked, nextPing, fail } = pinged();
    fail(3);
    asked[0]?.(false);
    await nextPing();
    clock.now = 1_000;
    expect([circuit.state, circuit.waitMs > 0]).toStrictEqual(['open', true]);
    asked[1]?.(true);
    await Promise.resolve();
    expect([circuit.state, circuit.waitMs]).toStrictEqual(['closed', 0]);
  });
});

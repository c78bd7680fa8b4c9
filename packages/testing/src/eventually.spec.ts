import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventually, FakeClock, testNamespace } from './index.js';

describe('eventually', () => {
  it('returns the first value that is neither an exception nor false', async () => {
    let calls = 0;
    const value = await eventually(
      () => {
        calls += 1;
        if (calls === 1) throw new Error('not yet');
        return calls === 2 ? false : 'there';
      },
      { intervalMs: 1 },
    );
    assert.equal(value, 'there');
  });

  it('fails with the last reason when the time is over', async () => {
    const attempt = () => {
      throw new Error('still closed');
    };
    await assert.rejects(eventually(attempt, { timeoutMs: 5, intervalMs: 1 }), /within 5 ms: still closed/);
  });
});

describe('FakeClock', () => {
  it('moves only when told', () => {
    const clock = new FakeClock('2026-02-28T23:59:59.000Z');
    assert.equal(clock.now().toISOString(), '2026-02-28T23:59:59.000Z');
    clock.advance({ seconds: 1 });
    assert.equal(clock.now().toISOString(), '2026-03-01T00:00:00.000Z');
    clock.advance({ days: 1, hours: 2 });
    assert.equal(clock.now().toISOString(), '2026-03-02T02:00:00.000Z');
  });
});

describe('testNamespace', () => {
  it('is safe as an SQL identifier and a NATS subject token', () => {
    assert.match(testNamespace(), /^t[0-9a-f]{12}$/);
    assert.notEqual(testNamespace(), testNamespace());
  });
});

// Real: Postgres. Faked: nothing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { nextDueInMs, nextDueStatement } from './next-due.js';

describe('the time until the next row is due', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await startTestPlatform();
  });
  after(() => platform.stop());

  const dueOf = (...times: string[]) => {
    const rows = times.map((time) => `((${time})::timestamptz)`).join();
    const table = times.length > 0 ? `(values ${rows})` : '(select null::timestamptz where false)';
    return nextDueInMs(platform.database, nextDueStatement('', `select min(due_at) from ${table} as queue (due_at)`));
  };

  it('is that of the earliest row, by the clock of the database', async () => {
    assert.equal(await dueOf(`now() + interval '1 hour'`, `now() + interval '2.5 s'`), 2_500);
  });

  it('is 0 when a row is due, however long it has been', async () => {
    assert.equal(await dueOf(`now() - interval '1 ms'`, `now() + interval '1 hour'`), 0);
    assert.equal(await dueOf(`'-infinity'`), 0);
  });

  it('is unknown without a row', async () => {
    assert.equal(await dueOf(), null);
  });
});

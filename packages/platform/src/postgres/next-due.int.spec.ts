// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { nextDueInMs, nextDueStatement } from './next-due.js';

describe('the time until the next row is due', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform();
  });
  afterAll(() => platform.stop());

  const dueOf = (...times: string[]) => {
    const rows = times.map((time) => `((${time})::timestamptz)`).join();
    const table = times.length > 0 ? `(values ${rows})` : '(select null::timestamptz where false)';
    return nextDueInMs(platform.database, nextDueStatement('', `select min(due_at) from ${table} as queue (due_at)`));
  };

  it('is the time of the earliest row, by the database’s clock', async () => {
    expect(await dueOf(`now() + interval '1 hour'`, `now() + interval '2.5 s'`)).toBe(2_500);
  });

  it('is 0 if a row is due or overdue', async () => {
    expect(await dueOf(`now() - interval '1 ms'`, `now() + interval '1 hour'`)).toBe(0);
    expect(await dueOf(`'-infinity'`)).toBe(0);
  });

  it('is null without a row', async () => {
    expect(await dueOf()).toBeNull();
  });
});

// Real: Postgres, NATS. Faked: the service, as handlers that a test writes.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { testTenantOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { newTenant, startCalls, type SampleCalls } from '../fixtures/sample-calls.js';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { statement } from '../postgres/statement.js';

const CONNECTIONS = 4;
const FLOOD = 40;
const LARGE = 'x'.repeat(900_000);
const weightOfMuch = ({ text }: { text: string }): number => (text.startsWith('much') ? 110 : 0);
const wait = statement('test.wait', 'select pg_advisory_xact_lock_shared($1)');
const lock = statement('test.lock', 'select pg_advisory_xact_lock($1)');
const waiting = statement(
  'test.waiting',
  `select count(*)::int as count from pg_locks where not granted and locktype = 'advisory'`,
);

/** The live and the test tenant of an organization. */
function newOrganization(): [string, string] {
  const live = newTenant();
  return [live, testTenantOf(live)];
}

describe('an organization that floods a service with live and test calls', () => {
  let platform: TestPlatform;
  let calls: SampleCalls;
  let release = () => undefined as void;
  beforeAll(async () => {
    platform = await startTestPlatform();
  });
  afterEach(() => calls.stop());
  afterAll(() => platform.stop());

  it('waits behind itself for connections: others are answered, and it keeps half of the pool', async () => {
    calls = await startCalls(platform, {
      connectionsMax: CONNECTIONS,
      handler: async (database, text) => {
        await database.query(wait, [Number(text)]);
        return text;
      },
    });
    const released = new Promise<void>((resolve) => (release = resolve));
    let onLocked = () => undefined as void;
    const isLocked = new Promise<void>((resolve) => (onLocked = resolve));
    const locked = platform.database.transaction(async (transaction) => {
      await transaction.query(lock, [1]);
      onLocked();
      await released;
    });
    await isLocked;
    const flooding = newOrganization();
    const flood = Array.from({ length: FLOOD / 2 }, () => flooding.map((tenantId) => calls.call(tenantId, '1'))).flat();
    await eventually(() => expect(calls.database.waitingCount).toBe(FLOOD - CONNECTIONS / 2));
    for (let others = 0; others < 10; others++) expect(await calls.call(newTenant(), '2')).toBe('2');
    await eventually(async () =>
      expect(await platform.database.query(waiting)).toStrictEqual([{ count: CONNECTIONS / 2 }]),
    );
    release();
    await Promise.all([locked, ...flood]);
  });

  it.each([
    ['large messages', LARGE, () => 0],
    ['messages that ask for much', 'much', weightOfMuch],
    ['large messages that ask for more than their bytes show', `much ${'x'.repeat(10_000)}`, weightOfMuch],
  ])(
    'with %s has two read and worked on at a time, while others’ calls are answered',
    async (_name, text, weightOf) => {
      const started: string[] = [];
      const released = new Promise<void>((resolve) => (release = resolve));
      const flooding = newOrganization();
      calls = await startCalls(platform, {
        connectionsMax: CONNECTIONS,
        weightOf,
        handler: async (_database, given, { tenantId }) => {
          started.push(tenantId);
          if (flooding.includes(tenantId)) await released;
          return given.slice(0, 1);
        },
      });
      const flood = Array.from({ length: 5 }, () => flooding.map((tenantId) => calls.call(tenantId, text))).flat();
      for (const given of ['light', text]) expect(await calls.call(newTenant(), given)).toBe(given.slice(0, 1));
      expect(started.filter((tenantId) => flooding.includes(tenantId))).toHaveLength(2);
      release();
      await Promise.all(flood);
      expect(started).toHaveLength(12);
    },
  );

  it('with large messages is asked to retry before they fill the memory, and others are not', async () => {
    const released = new Promise<void>((resolve) => (release = resolve));
    const flooding = newOrganization();
    calls = await startCalls(platform, {
      connectionsMax: CONNECTIONS,
      handler: async (_database, _text, { tenantId }) => {
        if (flooding.includes(tenantId)) await released;
        return 'done';
      },
    });
    const outcomes: string[] = [];
    const send = async (tenantId: string) => {
      const outcome = await calls.call(tenantId, LARGE).catch(({ code }: { code: string }) => code);
      outcomes.push(outcome);
    };
    const flood = Array.from({ length: 50 }, () => flooding.map(send)).flat();
    expect(await calls.call(newTenant(), LARGE)).toBe('done');
    // Each has 28 of 2,000 places, of which one organization gets half: 36 are admitted.
    await eventually(() => expect(outcomes).toHaveLength(100 - 36));
    expect(new Set(outcomes)).toStrictEqual(new Set(['RATE_LIMITED']));
    release();
    await Promise.all(flood);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(36);
  });
});

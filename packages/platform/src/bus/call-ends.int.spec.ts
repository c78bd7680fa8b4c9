// Real: Postgres, NATS. Faked: the service, as handlers that a test writes.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { newTenant, startCalls, type SampleCalls, type SampleCallsOptions } from '../fixtures/sample-calls.js';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import type { Database } from '../postgres/database.js';
import { statement } from '../postgres/statement.js';

const LATE_MS = 300;
const FOREVER = 3_600;
const sleep = statement('test.sleep', 'select pg_sleep($1)');
const SLEEPING = `select pid from pg_stat_activity
  where datname = current_database() and state = 'active' and query like '%pg_sleep%' and pid <> pg_backend_pid()`;
const backend = statement('test.backend', 'select pg_backend_pid() as pid');
const unavailable = { code: 'UNAVAILABLE' };

const asStatement = async (database: Database, seconds: number) => void (await database.query(sleep, [seconds]));
const ways: Record<string, (database: Database) => Promise<void>> = {
  'a statement': (database) => asStatement(database, FOREVER),
  'a transaction': (database) =>
    database.transaction(async (transaction) => void (await transaction.query(sleep, [FOREVER]))),
  'a repository': async (database) => void (await database.dataSource.query('select pg_sleep($1)', [FOREVER])),
  'a repository in a transaction': (database) =>
    database.transaction(async ({ manager }) => void (await manager.query('select pg_sleep($1)', [FOREVER]))),
};

/** Whether the server process will receive SIGINT, which cancels a statement, as soon as it runs again (proc(5)). */
function isInterrupted(pid: number): boolean {
  const [, pending = '0'] = /^ShdPnd:\s+(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number.parseInt(pending, 16) & 2) !== 0;
}

describe('at its deadline', () => {
  let platform: TestPlatform;
  let calls: SampleCalls;
  /** It sees the statements of all sessions. */
  let operator: pg.Client;
  beforeAll(async () => {
    platform = await startTestPlatform();
    operator = new pg.Client(platform.databaseUrl);
    await operator.connect();
  });
  afterEach(() => calls.stop());
  afterAll(async () => {
    await operator.end();
    await platform.stop();
  });

  const start = async (connectionsMax: number, handler: SampleCallsOptions['handler']) => {
    calls = await startCalls(platform, { connectionsMax, handler });
    return calls;
  };
  /** Makes calls that end at their deadline, until one has reached its handler: on a busy machine it may expire before. */
  const endsLate = async (text: string, begun: () => boolean) =>
    eventually(async () => {
      await expect(calls.call(newTenant(), text, LATE_MS)).rejects.toMatchObject(unavailable);
      return begun();
    });
  const sleeping = async () => (await operator.query(SLEEPING)).rows;

  it.each(Object.keys(ways))('the work of a call in %s ends on the server, and its connection returns', async (way) => {
    let slow = 0;
    const { call } = await start(1, async (database, text) => {
      if (text === 'slow') slow++;
      await (text === 'slow' ? ways[way]?.(database) : asStatement(database, 0));
      return text;
    });
    await endsLate('slow', () => slow > 0);
    expect(await call(newTenant(), 'next')).toBe('next');
    await eventually(async () => expect(await sleeping()).toStrictEqual([]));
  });

  it('a statement ends that the server begins after its cancellation', async () => {
    let begun = 0;
    const { database } = await start(1, async (pool) => {
      begun++;
      await asStatement(pool, FOREVER);
      return '';
    });
    const [{ pid }] = (await database.query(backend)) as [{ pid: number }];
    process.kill(pid, 'SIGSTOP');
    try {
      await endsLate('', () => begun > 0);
      await eventually(() => isInterrupted(pid));
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    const ofBackend = 'select from pg_stat_activity where pid = $1';
    await eventually(async () => expect((await operator.query(ofBackend, [pid])).rowCount).toBe(0));
  });

  it('a call starts no further statement', async () => {
    let proceed = () => undefined as void;
    const answered = new Promise<void>((resolve) => (proceed = resolve));
    const ended: Promise<void>[] = [];
    let begun = 0;
    await start(2, async (database) => {
      begun++;
      await answered;
      ended.push(asStatement(database, FOREVER));
      return 'too late';
    });
    await endsLate('', () => begun > 0);
    proceed();
    await eventually(() => expect(ended).toHaveLength(begun));
    for (const statement of ended) await expect(statement).rejects.toMatchObject(unavailable);
  });

  it('a call that waits for a connection leaves the queue', async () => {
    const { call, database } = await start(1, async (pool) => {
      await asStatement(pool, 0);
      return 'in time';
    });
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const holding = database.transaction(() => released);
    await expect(call(newTenant(), '', LATE_MS)).rejects.toMatchObject(unavailable);
    await eventually(() => expect(database.waitingCount).toBe(0));
    release();
    await holding;
  });

  it('a call ends no other call’s statement, on whatever connection', async () => {
    const { call } = await start(4, async (database, text) => {
      await asStatement(database, Number(text));
      return text;
    });
    const late = Array.from({ length: 24 }, (_, index) =>
      call(newTenant(), String(FOREVER), LATE_MS + 20 * index).catch(({ code }: { code: string }) => code),
    );
    const progress = { isOver: false };
    const lateCodes = Promise.all(late).finally(() => (progress.isOver = true));
    const others = async () => {
      const tenantId = newTenant();
      let count = 0;
      for (; !progress.isOver; count++) expect(await call(tenantId, '0.002')).toBe('0.002');
      return count;
    };
    expect(Math.min(...(await Promise.all([others(), others(), others()])))).toBeGreaterThan(0);
    expect(new Set(await lateCodes)).toStrictEqual(new Set(['UNAVAILABLE']));
    await eventually(async () => expect(await sleeping()).toStrictEqual([]));
  });
});

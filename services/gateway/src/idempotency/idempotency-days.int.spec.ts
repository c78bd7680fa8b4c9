// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database, DayPartitions, migrateService, ResealWorker, Sealer } from '@kiln/platform';
import {
  blocksRead,
  createTestDatabase,
  eventually,
  TEST_DATABASE_TIMEOUTS,
  withoutAutovacuum,
  type TestDatabase,
} from '@kiln/testing';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { entities } from '../entities.js';
import { migrations } from '../migrations/index.js';
import { hashOfKey } from './idempotency-key.domain.js';
import { IDEMPOTENCY_DAYS, IdempotencyStore, type KeyedRequest } from './idempotency.store.js';
import { SealedResponses, sealResponse } from './sealed-responses.service.js';

const TABLE = 'idempotent_requests';
const DAY = '2030-05-15';
const TODAY = new Date(`${DAY}T12:00:00Z`);
const CONNECTIONS = 5;
const newKey = () => randomBytes(32).toString('base64');
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined } as never;

describe('the days of rows with an Idempotency-Key', () => {
  let created: TestDatabase;
  let database: Database;
  let store: IdempotencyStore;
  let days: DayPartitions;

  beforeAll(async () => {
    created = await createTestDatabase();
    const { url } = created;
    await migrateService({ service: 'gateway', migrations, databaseUrl: url });
    const options = {
      url,
      schema: 'gateway',
      entities,
      migrations,
      connectionsMax: CONNECTIONS,
      ...TEST_DATABASE_TIMEOUTS,
    };
    database = await Database.open(options, () => undefined);
    store = new IdempotencyStore(database);
    days = new DayPartitions(database, IDEMPOTENCY_DAYS);
    // One day throughout, also if midnight comes.
    await sql(
      `create or replace function idempotency_day() returns date language sql stable as $$ select date '${DAY}' $$`,
    );
    await new DayPartitions(database, { ...IDEMPOTENCY_DAYS, daysBefore: 9 }).ensure(TODAY);
  });
  afterAll(async () => {
    await database.close();
    await created.drop();
  });

  const sql = <Row extends object>(text: string, values: unknown[] = []) =>
    database.query<Row>({ name: '', text }, values);
  const request = (key: string): KeyedRequest => ({
    tenantId: '01890000-0000-7000-8000-000000000001',
    route: 'createUpload',
    keyHash: hashOfKey(key),
    owner: uuidv7(),
  });
  const rowOf = ({ keyHash }: KeyedRequest) =>
    sql<{ days_ago: number; owner: string }>(
      `select idempotency_day() - day as days_ago, owner from ${TABLE} where key_hash = $1`,
      [keyHash],
    );
  const moveBack = ({ keyHash }: KeyedRequest, daysAgo: number) =>
    sql(`update ${TABLE} set day = idempotency_day() - $2::int where key_hash = $1`, [keyHash, daysAgo]);

  it('give a key to one of many requests that claim it at once', async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, () => store.claim(request('at once'))));
    expect(claims.map(({ outcome }) => outcome).toSorted()).toStrictEqual([
      'owned',
      ...Array.from({ length: 19 }, () => 'running'),
    ]);
  });

  it('keep an answer, and a request that still runs, across midnight', async () => {
    const [running, answered] = [request('running'), request('answered')];
    await store.claim(running);
    await store.claim(answered);
    await moveBack(running, 1);
    await moveBack(answered, 2);
    await store.keep(answered, Buffer.from('an answer'));
    expect(await store.claim(request('running'))).toStrictEqual({ outcome: 'running' });
    expect(await store.claim(request('answered'))).toStrictEqual({
      outcome: 'answered',
      answer: Buffer.from('an answer'),
    });
    await store.release(running);
    expect(await store.claim(request('running'))).toMatchObject({ outcome: 'owned' });
  });

  it('pass a key whose answer or lease has expired to the next request, in a row of today', async () => {
    for (const expiry of ['lease_expires_at', 'lease_expires_at, kept_until']) {
      const [earlier, later] = [request(expiry), request(expiry)];
      await store.claim(earlier);
      if (expiry.includes('kept')) await store.keep(earlier, Buffer.from('an answer'));
      await moveBack(earlier, 2);
      const past = expiry.split(', ').map((column) => `${column} = now() - interval '1 second'`);
      await sql(`update ${TABLE} set ${past.join()} where key_hash = $1`, [earlier.keyHash]);
      expect(await store.claim(later)).toMatchObject({ outcome: 'owned' });
      expect(await rowOf(later)).toStrictEqual([{ days_ago: 0, owner: later.owner }]);
    }
  });

  it('are dropped as a whole, however many rows they have, when no answer of them is kept', async () => {
    await sql(
      `insert into ${TABLE} select gen_random_uuid(), 'createUpload', sha256(n::text::bytea), idempotency_day() - 3 + n % 2,
         gen_random_uuid(), gen_random_uuid(), now(), 'answer', now() from generate_series(1, 20000) n`,
    );
    await eventually(() => days.drop(TODAY));
    const left = `select distinct idempotency_day() - day as days_ago from ${TABLE}
      where idempotency_day() - day >= 2 order by 1`;
    expect(await sql(left)).toStrictEqual([{ days_ago: 2 }]);
    const partitions = await sql<{ count: number }>(
      `select count(*)::int as count from pg_inherits where inhparent = '${TABLE}'::regclass`,
    );
    expect(partitions).toStrictEqual([{ count: 2 + 1 + 14 }]);
  });

  it('do not stop requests when a backup reads the day that is to be dropped', async () => {
    await new DayPartitions(database, { ...IDEMPOTENCY_DAYS, daysBefore: 3 }).ensure(TODAY);
    const backup = await database.dedicatedClient();
    try {
      await backup.query(`begin; lock table ${TABLE} in access share mode`);
      await expect(days.drop(TODAY)).rejects.toThrow(/lock timeout/);
      expect((await store.claim(request('during a backup'))).outcome).toBe('owned');
    } finally {
      await backup.end();
    }
    await eventually(() => days.drop(TODAY));
  });

  /** Otherwise an idle session may report later what it has read for an earlier test. */
  async function reportAll(): Promise<void> {
    let open = 0;
    const report = () =>
      database.transaction(async (transaction) => {
        open++;
        await transaction.query({ name: '', text: 'select pg_stat_force_next_flush()' });
        await eventually(() => open === CONNECTIONS);
      });
    await Promise.all(Array.from({ length: CONNECTIONS }, report));
  }

  it('are read at a start for answers of older encryption keys only, which are then sealed with the newest', async () => {
    await withoutAutovacuum(database);
    const [older, newer] = [newKey(), newKey()];
    const asked = request('sealed long ago');
    await store.claim(asked);
    const kept = { fingerprint: randomBytes(32), text: '{}' };
    await store.keep(asked, sealResponse(new Sealer(older), asked, kept));
    const start = (keys: string) => new ResealWorker(new SealedResponses(store, new Sealer(keys)), quiet).run();
    const read = async (keys: string) => {
      await reportAll();
      const blocks = await blocksRead(database, () => start(keys));
      return [...blocks].reduce((sum, [name, count]) => (name.startsWith(TABLE) ? sum + count : sum), 0);
    };
    expect(await read(older)).toBe(0);
    expect(await start(`${newer},${newKey()},${older}`)).toBe(1);
    const [row] = await sql<{ answer: Buffer }>(`select answer from ${TABLE} where key_hash = $1`, [asked.keyHash]);
    expect(new Sealer(newer).isOld(row?.answer ?? Buffer.alloc(0))).toBe(false);
    expect(await start(`${newer},${older}`)).toBe(0);
  });
});

// Real: Postgres, among 200,000 connections of others. Faked: nothing.
import type { Database, Statement } from '@kiln/platform';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startConnections, type ConnectionsHarness } from '../test/connections-harness.js';
import { ConnectionStore } from './connection.store.js';
import { ConnectionPurgeStore } from './connection-purge.store.js';

const place = { provider: 's3', name: 'Contracts', bucket: 'acme-documents' } as const;
const OTHERS = 200_000;

interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

describe('connections in the database', () => {
  let harness: ConnectionsHarness;
  before(async () => {
    harness = await startConnections({ connectionsMax: 30 });
    await harness.sql(`insert into connections (tenant_id, id, provider, name, bucket)
      select ('00000000-0000-4000-8000-' || lpad(to_hex(s / 100), 12, '0'))::uuid, gen_random_uuid(), 's3', 'n', 'b'
      from generate_series(1, ${OTHERS}) s`);
    await harness.sql('analyze connections');
  });
  after(() => harness.close());

  const make = (tenantId: string, name: string) => harness.create(tenantId, { ...place, name });
  const page = (tenantId: string, limit: number, cursor?: string) =>
    harness.manage.list({ limit, cursor }, contextOf(tenantId));

  it('are listed oldest first, page by page, each once though some are made and deleted meanwhile', async () => {
    const tenantId = uuidv7();
    for (let at = 0; at < 7; at++) await make(tenantId, `c${at}`);
    const first = await page(tenantId, 3);
    assert.deepEqual(
      first.connections.map(({ name }) => name),
      ['c0', 'c1', 'c2'],
    );
    await harness.manage.remove({ id: first.connections[1]?.id ?? '' }, contextOf(tenantId));
    await make(tenantId, 'c7');
    const second = await page(tenantId, 3, first.next_cursor ?? '');
    const third = await page(tenantId, 3, second.next_cursor ?? '');
    const rest = [...second.connections, ...third.connections].map(({ name }) => name);
    assert.deepEqual([rest, third.next_cursor], [['c3', 'c4', 'c5', 'c6', 'c7'], null]);
    await assert.rejects(page(uuidv7(), 3, first.next_cursor ?? ''), { code: 'BAD_REQUEST' });
  });

  it('are so many at most, also when they are made at the same time', async () => {
    const tenantId = uuidv7();
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, (_, at) => make(tenantId, `c${at}`)));
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 30);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal((outcome.reason as { code?: string }).code, 'CONFLICT');
    }
    assert.equal((await page(tenantId, 200)).connections.length, 30);
  });

  it('are so many at most; a deleted one makes room', async () => {
    const tenantId = uuidv7();
    const made = [];
    for (let at = 0; at < 30; at++) made.push(await make(tenantId, `c${at}`));
    await assert.rejects(make(tenantId, 'one more'), { code: 'CONFLICT' });
    await harness.manage.remove({ id: made[0]?.id ?? '' }, contextOf(tenantId));
    await make(tenantId, 'in its place');
  });

  it('keep what a repeated call has made, and no second one', async () => {
    const tenantId = uuidv7();
    const input = { ...place, ...harness.ids() };
    const first = await harness.manage.create(input, contextOf(tenantId));
    assert.deepEqual(await harness.manage.create(input, contextOf(tenantId)), first);
    assert.equal((await page(tenantId, 10)).connections.length, 1);
  });

  it('are gone for everyone the moment they are deleted, their credentials from the database as well', async () => {
    const tenantId = uuidv7();
    const credentials = { access_key_id: 'id', secret_access_key: 'secret' };
    const { id } = await harness.create(tenantId, { ...place, credentials });
    assert.deepEqual(await harness.manage.remove({ id }, contextOf(tenantId)), { deleted: true });
    await assert.rejects(harness.manage.get({ id }, contextOf(tenantId)), { code: 'NOT_FOUND' });
    await assert.rejects(harness.check.test({ id }, contextOf(tenantId)), { code: 'NOT_FOUND' });
    await assert.rejects(harness.manage.remove({ id }, contextOf(tenantId)), { code: 'NOT_FOUND' });
    assert.deepEqual((await page(tenantId, 10)).connections, []);
    const sealed = await harness.sql('select 1 from connections where tenant_id = $1 and credentials is not null', [
      tenantId,
    ]);
    assert.equal(sealed.length, 0);
  });

  it('what came of a test of credentials that were replaced meanwhile says nothing of the new ones', async () => {
    const tenantId = uuidv7();
    await make(tenantId, 'tested');
    const [row] = await harness.connections.page(tenantId, null, 1);
    assert.ok(row);
    await harness.sql('update connections set version = version + 1 where tenant_id = $1', [tenantId]);
    assert.equal(await harness.connections.recordOutcome(row, { code: 'timeout', message: 'late' }), null);
    assert.equal((await page(tenantId, 1)).connections[0]?.error, null);
  });

  it('are read by an index, a row for a row that is answered, however many there are', async () => {
    const tenantId = '00000000-0000-4000-8000-000000000400';
    const [row] = await harness.connections.page(tenantId, null, 1);
    assert.ok(row);
    const last = { createdAt: row.created_at, id: row.id };
    const statements = [
      await sentBy((recorder) => new ConnectionStore(recorder, 9).find(tenantId, row.id)),
      await sentBy((recorder) => new ConnectionStore(recorder, 9).page(tenantId, last, 20)),
      await sentBy((recorder) => new ConnectionStore(recorder, 9).recordOutcome(row, null)),
      await sentBy((recorder) =>
        new ConnectionStore(recorder, 9).update(tenantId, row.id, { name: 'n', sealed: null }),
      ),
      await sentBy((recorder) => new ConnectionStore(recorder, 9).remove(tenantId, uuidv7())),
      await sentBy((recorder) => new ConnectionPurgeStore(recorder, []).purgeSome()),
    ];
    for (const { text, values } of statements) {
      const explained = await harness.database.transaction(async (transaction) => {
        const [answer] = await transaction.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
          { name: '', text: `explain (analyze, format json) ${text}` },
          values,
        );
        const plan = answer?.['QUERY PLAN'][0]?.Plan;
        assert.ok(plan);
        return flatten(plan);
      });
      assert.ok(!explained.some((node) => node['Node Type'] === 'Seq Scan'), text);
      assert.ok(Math.max(...explained.map((node) => node['Actual Rows'])) <= 20, text);
      assert.equal(
        explained.reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0),
        0,
        text,
      );
    }
  });
});

type Recorder = Pick<Database, 'query' | 'transaction'>;

/** What a store sends to the database, instead of sending it. */
async function sentBy(use: (recorder: Recorder) => Promise<unknown>): Promise<{ text: string; values: unknown[] }> {
  const sent: { text: string; values: unknown[] }[] = [];
  const recorder: Recorder = {
    query: ({ text }: Statement, values?: unknown[]) => {
      sent.push({ text, values: values ?? [] });
      return Promise.resolve([]);
    },
    transaction: (work) => work(recorder as never),
  };
  await use(recorder);
  assert.ok(sent[0]);
  return sent[0];
}

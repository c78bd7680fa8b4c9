// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startConnections, type ConnectionsHarness } from '../test/connections-harness.js';

const place = { provider: 's3', name: 'Contracts', bucket: 'acme-documents' } as const;

describe('stored connections', () => {
  let harness: ConnectionsHarness;
  beforeAll(async () => {
    harness = await startConnections({ connectionsMax: 30 });
  });
  afterAll(() => harness.close());

  const make = (tenantId: string, name: string) => harness.create(tenantId, { ...place, name });
  const page = (tenantId: string, limit: number, cursor?: string) =>
    harness.manage.list({ limit, cursor }, contextOf(tenantId));

  it('are listed oldest first, page by page, each once, even while some are created and deleted', async () => {
    const tenantId = uuidv7();
    for (let at = 0; at < 7; at++) await make(tenantId, `c${at}`);
    const first = await page(tenantId, 3);
    expect(first.connections.map(({ name }) => name)).toStrictEqual(['c0', 'c1', 'c2']);
    await harness.manage.remove({ id: first.connections[1]?.id ?? '' }, contextOf(tenantId));
    await make(tenantId, 'c7');
    const second = await page(tenantId, 3, first.next_cursor ?? '');
    const third = await page(tenantId, 3, second.next_cursor ?? '');
    const rest = [...second.connections, ...third.connections].map(({ name }) => name);
    expect([rest, third.next_cursor]).toStrictEqual([['c3', 'c4', 'c5', 'c6', 'c7'], null]);
    await expect(page(uuidv7(), 3, first.next_cursor ?? '')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('are announced once when they are created and once when they are deleted, however often that is asked', async () => {
    const tenantId = uuidv7();
    const id = encodeId('connection', uuidv7());
    const create = () =>
      harness.manage.create({ ...place, id, org_id: encodeId('organization', uuidv7()) }, contextOf(tenantId));
    const remove = () => harness.manage.remove({ id }, contextOf(tenantId));
    await create();
    await create();
    await remove();
    await expect(remove()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const rows = await harness.sql<{ type: string; data: unknown }>(
      `select type, envelope::jsonb -> 'data' as data from outbox where envelope::jsonb ->> 'tenantid' = $1 order by sequence`,
      [tenantId],
    );
    expect(rows).toStrictEqual([
      { type: 'connection.created', data: { connection_id: id } },
      { type: 'connection.deleted', data: { connection_id: id } },
    ]);
  });

  it('never exceed the limit, even when they are created concurrently', async () => {
    const tenantId = uuidv7();
    for (let at = 0; at < 26; at++) await make(tenantId, `c${at}`);
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, at) => make(tenantId, `late${at}`)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect((outcome.reason as { code?: string }).code).toBe('CONFLICT');
    }
    expect((await page(tenantId, 200)).connections).toHaveLength(30);
  });

  it('never exceed the limit; a deleted connection does not count', async () => {
    const tenantId = uuidv7();
    const made = [];
    for (let at = 0; at < 30; at++) made.push(await make(tenantId, `c${at}`));
    await expect(make(tenantId, 'one more')).rejects.toMatchObject({ code: 'CONFLICT' });
    await harness.manage.remove({ id: made[0]?.id ?? '' }, contextOf(tenantId));
    await make(tenantId, 'in its place');
  });

  it('are created once when a call is repeated', async () => {
    const tenantId = uuidv7();
    const input = { ...place, ...harness.ids() };
    const first = await harness.manage.create(input, contextOf(tenantId));
    expect(await harness.manage.create(input, contextOf(tenantId))).toStrictEqual(first);
    expect((await page(tenantId, 10)).connections).toHaveLength(1);
  });

  it('are invisible as soon as they are deleted, and their credentials are removed from the database', async () => {
    const tenantId = uuidv7();
    const credentials = { access_key_id: 'id', secret_access_key: 'secret' };
    const { id } = await harness.create(tenantId, { ...place, credentials });
    expect(await harness.manage.remove({ id }, contextOf(tenantId))).toStrictEqual({ deleted: true });
    await expect(harness.manage.get({ id }, contextOf(tenantId))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(harness.check.test({ id }, contextOf(tenantId))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(harness.manage.remove({ id }, contextOf(tenantId))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await page(tenantId, 10)).connections).toStrictEqual([]);
    const sealed = await harness.sql('select 1 from connections where tenant_id = $1 and credentials is not null', [
      tenantId,
    ]);
    expect(sealed).toHaveLength(0);
  });

  it('ignore the outcome of a test whose credentials were replaced meanwhile', async () => {
    const tenantId = uuidv7();
    await make(tenantId, 'tested');
    const [row] = await harness.connections.page(tenantId, null, 1);
    if (!row) throw new Error('no row');
    await harness.sql('update connections set version = version + 1 where tenant_id = $1', [tenantId]);
    expect(await harness.connections.recordOutcome(row, { code: 'timeout', message: 'late' })).toBeNull();
    expect((await page(tenantId, 1)).connections[0]?.error).toBeNull();
  });
});

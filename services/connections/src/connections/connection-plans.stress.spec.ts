// Real: Postgres with 200,000 connections. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database, Statement } from '@kiln/platform';
import { planNodes, type PlanNode } from '@kiln/testing';
import type { Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ConnectionPurgeStore } from '../purge/connection-purge.store.js';
import { startConnections, type ConnectionsHarness } from '../test/connections-harness.js';
import { ConnectionEntity } from './connection.entity.js';
import { ConnectionStore } from './connection.store.js';

const CONNECTIONS = 200_000;

describe('stored connections', () => {
  let harness: ConnectionsHarness;
  beforeAll(async () => {
    harness = await startConnections();
    await harness.sql(`insert into connections (tenant_id, id, provider, name, bucket)
      select ('00000000-0000-4000-8000-' || lpad(to_hex(s / 100), 12, '0'))::uuid, gen_random_uuid(), 's3', 'n', 'b'
      from generate_series(1, ${CONNECTIONS}) s`);
    await harness.sql('analyze connections');
  });
  afterAll(() => harness.close());

  it('are read by index: every row read is returned', async () => {
    const tenantId = '00000000-0000-4000-8000-000000000400';
    const [row] = await harness.connections.page(tenantId, null, 1);
    if (!row) throw new Error('no row');
    const last = { createdAt: row.created_at, id: row.id };
    const { database } = harness;
    const statements = [
      await sentBy(database, (recorder) => storeOf(recorder).find(tenantId, row.id)),
      await sentBy(database, (recorder) => storeOf(recorder).page(tenantId, last, 20)),
      await sentBy(database, (recorder) => storeOf(recorder).recordOutcome(row, null)),
      await sentBy(database, (recorder) =>
        storeOf(recorder).update(tenantId, row.id, { name: 'n', sealed: null, isTried: false }),
      ),
      await sentBy(database, (recorder) => storeOf(recorder).remove(tenantId, uuidv7())),
      await sentBy(database, (recorder) => new ConnectionPurgeStore(recorder.database, []).purgeBatch()),
    ];
    const wasteful: { text: string; explained: PlanNode[] }[] = [];
    for (const { text, values } of statements) {
      const explained = await harness.database.transaction(async (transaction) =>
        planNodes(await transaction.query({ name: '', text: `explain (analyze, format json) ${text}` }, values)),
      );
      const isWasteful = (node: PlanNode) =>
        node['Node Type'] === 'Seq Scan' || node['Actual Rows'] > 20 || (node['Rows Removed by Filter'] ?? 0) > 0;
      if (explained.some(isWasteful)) wasteful.push({ text, explained });
    }
    expect(wasteful).toStrictEqual([]);
  });
});

interface Recorder {
  database: Database;
  connections: Repository<ConnectionEntity>;
}

const storeOf = ({ database, connections }: Recorder) =>
  new ConnectionStore(database, connections, { KILN_CONNECTIONS_MAX: 9 });

/** What a store sends to the database, by a statement or a repository, instead of sending it. */
async function sentBy(
  { dataSource }: Database,
  use: (recorder: Recorder) => Promise<unknown>,
): Promise<{ text: string; values: unknown[] }> {
  const sent: { text: string; values: unknown[] }[] = [];
  const record = (text: string, values: unknown[] = []) => {
    sent.push({ text, values });
    return Promise.resolve([]);
  };
  const runner = dataSource.createQueryRunner();
  runner.query = (async (text: string, values?: unknown[], structured?: boolean) => {
    const records = await record(text, values);
    return structured ? { records, raw: records, affected: 0 } : records;
  }) as typeof runner.query;
  const manager = dataSource.createEntityManager(runner);
  const query = ({ text }: Statement, values?: unknown[]) => record(text, values);
  const transaction = (work: (transaction: never) => Promise<unknown>) => work({ query, manager } as never);
  const database = { query, transaction } as unknown as Database;
  await use({ database, connections: manager.getRepository(ConnectionEntity) });
  const [first] = sent;
  if (!first) throw new Error('no statement was sent');
  return first;
}

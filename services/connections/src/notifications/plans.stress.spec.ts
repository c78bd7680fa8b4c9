// Real: Postgres with 100,000 nodes and 50,000 removed nodes of one connection, and 20,000 polls. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planNodes, rowsExamined } from '@kiln/testing';
import { startNotifications, type NotificationsHarness } from '../test/notifications-harness.js';
import { concludeRemoval, putNodes, removeGone, selectFiles } from './node-changes.statements.js';
import { claimPolls } from './queue-poll-claim.statement.js';

const TENANT = '01938a10-0000-7000-8000-00000000000a';
const CONNECTION = '01938a10-0000-7000-8000-0000000000aa';
const KEYS = 100;

describe('statements that apply notifications', () => {
  let kiln: NotificationsHarness;
  beforeAll(async () => {
    kiln = await startNotifications();
    await kiln.sql(`insert into connections (tenant_id, id, provider, name, bucket) values ($1, $2, 's3', 'a', 'a')`, [
      TENANT,
      CONNECTION,
    ]);
    await kiln.sql(
      `insert into nodes (tenant_id, connection_id, id, parent_id, is_file, name, path, size_bytes, etag)
       select $1, $2, md5('node' || s)::uuid, $2, true, s || '.txt', s || '.txt', 1, md5(s::text) from generate_series(1, 100000) s`,
      [TENANT, CONNECTION],
    );
    await kiln.sql(
      `insert into removed_nodes (tenant_id, id, connection_id, path, etag, size_bytes, created_at)
       select $1, md5('removed' || s)::uuid, $2, 'gone/' || s, md5(s::text), 1, now() from generate_series(1, 50000) s`,
      [TENANT, CONNECTION],
    );
    await kiln.sql(
      `insert into queue_polls (tenant_id, connection_id, due_at)
       select md5('tenant' || s % 100)::uuid, md5('poll' || s)::uuid, now() + (s % 100 - 1) * interval '1 minute' from generate_series(1, 20000) s`,
    );
    await kiln.sql('analyze');
  });
  afterAll(() => kiln.close());

  /** Rows that the statement read from tables, filtered ones included. */
  async function rowsRead({ text }: { text: string }, values: unknown[]): Promise<number> {
    const nodes = planNodes(await kiln.sql(`explain (analyze, format json) ${text}`, values));
    const tables = nodes.filter((node) => node['Relation Name'] !== undefined);
    return tables.reduce((sum, node) => sum + rowsExamined(node), 0);
  }

  const column = <Value>(value: (at: number) => Value) => Array.from({ length: KEYS }, (_, at) => value(at + 1));
  const ids = async (path: (at: number) => string) => {
    const paths = column(path);
    const rows = await kiln.sql<{ id: string }>('select id from nodes where path = any($1)', [paths]);
    return rows.map(({ id }) => id);
  };
  const put = (path: (at: number) => string, size: number) => [
    TENANT,
    CONNECTION,
    new Date(),
    1_000,
    column(() => crypto.randomUUID()),
    column(() => CONNECTION),
    column(() => true),
    column((at) => `${at}`),
    column(path),
    column(() => size),
    column((at) => `${String(at).padStart(4, '0')}${'a'.repeat(28)}`),
    column(() => null),
    column(() => new Date()),
    column(() => null),
    column(() => null),
  ];

  it('read only the rows of their keys', async () => {
    const reads = {
      changed: await rowsRead(
        putNodes,
        put((at) => `${at}.txt`, 2),
      ),
      added: await rowsRead(
        putNodes,
        put((at) => `new/${at}.txt`, 3),
      ),
      selected: await rowsRead(selectFiles, [TENANT, await ids((at) => `${at}.txt`), true]),
      removed: await rowsRead(removeGone, [
        TENANT,
        CONNECTION,
        column((at) => `${at + 500}.txt`),
        new Date(),
        200,
        'infinity',
      ]),
      concluded: await rowsRead(concludeRemoval, [
        TENANT,
        column((at) => `00000000-0000-0000-0000-${String(at).padStart(12, '0')}`),
        true,
      ]),
    };
    for (const [name, read] of Object.entries(reads)) expect([name, read <= 10 * KEYS]).toStrictEqual([name, true]);
    expect(reads.changed).toBeGreaterThanOrEqual(KEYS);
    expect(reads.removed).toBeGreaterThanOrEqual(KEYS);
  });

  it('claim polls without reading those that are not due', async () => {
    const read = await rowsRead(claimPolls, [16, 60, [], [], 8]);
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(5_000);
  });
});

// Real: Postgres. Faked: nothing. Rows are random, over few values, so that equal keys are common.
import { encodeId, type OperationInput, type filesOperations } from '@kiln/contracts';
import type { Queryable, Statement } from '@kiln/platform';
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { FileListStore, type ListQuery } from '../store/file-list.store.js';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';

type Input = OperationInput<(typeof filesOperations)['listFiles']>;
const sorts = ['created_at', 'updated_at', 'filename', 'size_bytes'] as const;
const orders = ['asc', 'desc'] as const;
const each = sorts.flatMap((sort_by) => orders.map((sort_order) => ({ sort_by, sort_order })));

interface ModelRow {
  id: string;
  filename: string;
  size_bytes: number | null;
  created_at: Date;
  updated_at: Date;
  metadata: Record<string, string>;
}

const pick = <Value>(values: readonly Value[]): Value => values[randomInt(values.length)] as Value;
const moment = () => new Date(1_700_000_000_000 + randomInt(40));
const randomRow = (): ModelRow => ({
  id: uuidv7(),
  filename: pick(['a', 'A', 'b', 'ä', 'é', '😀', '\uFF5E', 'a b', 'Z']) + pick(['', '.md', '1', '10']),
  size_bytes: pick([null, 0, 1, 5, 5_000_000_000]),
  created_at: moment(),
  updated_at: moment(),
  metadata: { team: pick(['x', 'y']), year: pick(['1', '2', '11']) },
});

function compare(a: ModelRow, b: ModelRow, sort: Input['sort_by']): number {
  const byId = Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
  if (sort === 'filename') return Buffer.compare(Buffer.from(a.filename), Buffer.from(b.filename)) || byId;
  if (sort === 'size_bytes') return (a.size_bytes ?? -1) - (b.size_bytes ?? -1) || byId;
  return a[sort].getTime() - b[sort].getTime() || byId;
}

describe('the list of files', () => {
  let kiln: FilesHarness;
  before(async () => {
    kiln = await startFiles();
  });
  after(() => kiln.close());

  const insert = (tenantId: string, rows: ModelRow[]) =>
    kiln.sql(
      `insert into files (tenant_id, id, space, status, filename, size_bytes, created_at, updated_at, metadata)
       select $1, id, 'default', 'uploaded', filename, size_bytes, created_at, updated_at, metadata
       from jsonb_to_recordset($2::jsonb) as r (id uuid, filename text, size_bytes bigint, created_at timestamptz,
         updated_at timestamptz, metadata jsonb)`,
      [tenantId, JSON.stringify(rows)],
    );
  async function pages(tenantId: string, input: Input, between: () => Promise<unknown> = async () => {}) {
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await kiln.readFiles.list({ ...input, ...(cursor ? { cursor } : {}) }, contextOf(tenantId));
      ids.push(...page.files.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
      if (cursor) await between();
    } while (cursor);
    return ids;
  }
  const sorted = (rows: ModelRow[], { sort_by, sort_order }: Pick<Input, 'sort_by' | 'sort_order'>) => {
    const ids = rows.toSorted((a, b) => compare(a, b, sort_by)).map(({ id }) => encodeId('file', id));
    return sort_order === 'asc' ? ids : ids.toReversed();
  };

  it('pages through random rows in the order of a model, by every key, both ways, at every page size', async () => {
    const tenantId = uuidv7();
    const rows = Array.from({ length: 120 }, randomRow);
    await insert(tenantId, rows);
    await insert(uuidv7(), Array.from({ length: 30 }, randomRow));
    for (const order of each) {
      for (const limit of [1, 7, 119, 120, 200]) {
        assert.deepEqual(await pages(tenantId, { ...order, limit }), sorted(rows, order), JSON.stringify(order));
      }
    }
  });

  it('shows each row that stays exactly once while others come and go', async () => {
    for (const order of each) {
      const tenantId = uuidv7();
      const [stay, go] = [Array.from({ length: 40 }, randomRow), Array.from({ length: 40 }, randomRow)];
      await insert(tenantId, [...stay, ...go]);
      const churn = async () => {
        await insert(tenantId, [randomRow(), randomRow()]);
        await kiln.sql('delete from files where tenant_id = $1 and id = $2', [tenantId, go.pop()?.id]);
      };
      const listed = await pages(tenantId, { ...order, limit: 9 }, churn);
      const ids = new Set(stay.map(({ id }) => encodeId('file', id)));
      assert.deepEqual(
        listed.filter((id) => ids.has(id)),
        sorted(stay, order),
        JSON.stringify(order),
      );
    }
  });

  it('holds exactly the files that carry all of the metadata asked for', async () => {
    const tenantId = uuidv7();
    const rows = Array.from({ length: 60 }, randomRow);
    await insert(tenantId, rows);
    const filters: Record<string, string>[] = [
      { team: 'x' },
      { team: 'y', year: '1' },
      { year: '11' },
      { team: 'x', none: '' },
    ];
    for (const metadata of filters) {
      const wanted = rows.filter((row) =>
        Object.entries(metadata).every(([key, value]) => row.metadata[key] === value),
      );
      const listed = await pages(tenantId, { sort_by: 'created_at', sort_order: 'asc', limit: 5, metadata });
      assert.deepEqual(listed, sorted(wanted, { sort_by: 'created_at', sort_order: 'asc' }));
    }
  });

  it('refuses a cursor of another tenant or order, and one that was made up', async () => {
    const tenantId = uuidv7();
    await insert(tenantId, Array.from({ length: 3 }, randomRow));
    const input = { sort_by: 'created_at', sort_order: 'asc', limit: 1 } as const;
    const { next_cursor: cursor } = await kiln.readFiles.list(input, contextOf(tenantId));
    assert.ok(cursor);
    const refused = { code: 'BAD_REQUEST' };
    const list = (more: Partial<Input>, tenant = tenantId) =>
      kiln.readFiles.list({ ...input, cursor, ...more }, contextOf(tenant));
    await assert.rejects(list({}, uuidv7()), refused);
    await assert.rejects(list({ sort_by: 'filename' }), refused);
    await assert.rejects(list({ sort_order: 'desc' }), refused);
    const forge = (sort: string, values: unknown[]) =>
      Buffer.from(JSON.stringify([`files:${tenantId}:${sort}:asc`, values])).toString('base64url');
    await assert.rejects(list({ cursor: forge('created_at', ['0000-01-01T00:00:00Z', uuidv7()]) }), refused);
    await assert.rejects(list({ sort_by: 'filename', cursor: forge('filename', ['\u0000', uuidv7()]) }), refused);
  });

  it('reads each order from its index: a page of 20,000 files costs a page', async () => {
    const tenantId = uuidv7();
    await kiln.sql(
      `insert into files (tenant_id, id, space, status, filename, size_bytes, created_at, updated_at)
       select $1, gen_random_uuid(), 'default', 'uploaded', md5(n::text), n, now() - n * interval '1 s', now()
       from generate_series(1, 20000) n`,
      [tenantId],
    );
    await kiln.sql('analyze files');
    const after = {
      created_at: new Date().toISOString(),
      updated_at: new Date().toISOString(),
      filename: '8',
      size_bytes: 9_000,
    };
    for (const { sort_by: sortBy, sort_order: sortOrder } of each) {
      const query: ListQuery = { tenantId, sortBy, sortOrder, limit: 51, after: [after[sortBy], uuidv7()] };
      const plan = await planOf(query);
      assert.match(plan, new RegExp(`files_by_${sortBy.replace('_at', '').replace('_bytes', '')}`), plan);
      assert.doesNotMatch(plan, /"(Seq Scan|Sort)"/);
    }
  });

  /** The plan that a prepared statement settles on. */
  async function planOf(query: ListQuery): Promise<string> {
    let sent: { text: string; values: unknown[] } = { text: '', values: [] };
    const recorder: Queryable = {
      query: ({ text }: Statement, values: unknown[] = []) => {
        sent = { text, values };
        return Promise.resolve([]);
      },
    };
    await new FileListStore(recorder).list(query);
    return kiln.database.transaction(async (transaction) => {
      await transaction.query({ name: '', text: 'set local plan_cache_mode = force_generic_plan' });
      const explain = { name: '', text: `explain (format json) ${sent.text}` };
      return JSON.stringify(await transaction.query(explain, sent.values));
    });
  }
});

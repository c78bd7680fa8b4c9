// Real: Postgres. Faked: nothing. Rows are random, over few values, so that equal keys are common.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, type OperationInput, type filesOperations } from '@kiln/contracts';
import { randomNumbers, testSeed } from '@kiln/testing/seed';
import { v7 as uuidv7 } from 'uuid';
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

const SEED = testSeed();
const random = randomNumbers(SEED);
const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value;
const moment = () => new Date(1_700_000_000_000 + random(40));
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

describe(`the list of files (seed ${SEED})`, () => {
  let kiln: FilesHarness;
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  const insert = async (tenantId: string, rows: ModelRow[]) =>
    kiln.sql(
      `insert into files (tenant_id, id, space_id, status, filename, size_bytes, created_at, updated_at, metadata)
       select $1, id, $3, 'uploaded', filename, size_bytes, created_at, updated_at, metadata
       from jsonb_to_recordset($2::jsonb) as r (id uuid, filename text, size_bytes bigint, created_at timestamptz,
         updated_at timestamptz, metadata jsonb)`,
      [tenantId, JSON.stringify(rows), await kiln.spaceId(tenantId, 'default')],
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

  const everyPage = each.flatMap((order) => [1, 7, 119, 120, 200].map((limit) => ({ ...order, limit })));
  it.each(everyPage)(
    'pages through random rows as a model does, by $sort_by $sort_order, $limit each',
    async (input) => {
      const tenantId = uuidv7();
      const rows = Array.from({ length: 120 }, randomRow);
      await insert(tenantId, rows);
      await insert(uuidv7(), Array.from({ length: 30 }, randomRow));
      expect(await pages(tenantId, input)).toStrictEqual(sorted(rows, input));
    },
  );

  it.each(each)('shows each remaining row once while others change, by $sort_by $sort_order', async (order) => {
    const tenantId = uuidv7();
    const [stay, go] = [Array.from({ length: 40 }, randomRow), Array.from({ length: 40 }, randomRow)];
    await insert(tenantId, [...stay, ...go]);
    const churn = async () => {
      await insert(tenantId, [randomRow(), randomRow()]);
      await kiln.sql('delete from files where tenant_id = $1 and id = $2', [tenantId, go.pop()?.id]);
    };
    const listed = await pages(tenantId, { ...order, limit: 9 }, churn);
    const ids = new Set(stay.map(({ id }) => encodeId('file', id)));
    expect(listed.filter((id) => ids.has(id))).toStrictEqual(sorted(stay, order));
  });

  it('returns exactly the files that have all of the metadata', async () => {
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
      expect(listed).toStrictEqual(sorted(wanted, { sort_by: 'created_at', sort_order: 'asc' }));
    }
  });

  describe('with a search in names', () => {
    const tenantId = uuidv7();
    const rows = Array.from({ length: 80 }, randomRow);
    beforeAll(async () => {
      await insert(tenantId, rows);
      await kiln.sql(
        `insert into file_names (tenant_id, file_id, name) select tenant_id, id, lower(filename) from files where tenant_id = $1`,
        [tenantId],
      );
    });

    it.each(['A', 'b', '.md', '😀', 'z1', 'b.MD', '10', ' a b ', '%', '_', "'", '\\', 'zz', 'ä.'])(
      'returns exactly the files whose name contains the text, in every order: %j',
      async (search) => {
        const text = search.trim().toLowerCase();
        const wanted = rows.filter((row) => row.filename.toLowerCase().includes(text));
        for (const order of each)
          expect(await pages(tenantId, { ...order, limit: 9, search })).toStrictEqual(sorted(wanted, order));
      },
    );
  });

  it('refuses a cursor of a list with other filters', async () => {
    const tenantId = uuidv7();
    const alike = { filename: 'ab', metadata: { team: 'x', year: '1' } };
    await insert(
      tenantId,
      Array.from({ length: 9 }, () => ({ ...randomRow(), ...alike })),
    );
    await kiln.sql(
      `insert into file_names (tenant_id, file_id, name) select tenant_id, id, 'ab' from files where tenant_id = $1`,
      [tenantId],
    );
    const input = { sort_by: 'created_at', sort_order: 'asc', limit: 1, space: 'default' } as const;
    const list = (more: Partial<Input>) => kiln.readFiles.list({ ...input, ...more }, contextOf(tenantId));
    const metadata = (team: string) => ({ metadata: { team, year: '1' } });
    for (const [made, used] of [
      [{}, { space: 'other' }],
      [{}, { status: 'failed' }],
      [{}, { search: 'a' }],
      [{ status: 'uploaded' }, {}],
      [{ search: 'b' }, { search: 'a' }],
      [metadata('x'), metadata('y')],
    ] as Partial<Input>[][]) {
      const page = await list({ ...made });
      const cursor = page.next_cursor ?? undefined;
      if (cursor) await expect(list({ ...used, cursor })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  it('refuses a cursor of another tenant or order, and a forged one', async () => {
    const tenantId = uuidv7();
    await insert(tenantId, Array.from({ length: 3 }, randomRow));
    const input = { sort_by: 'created_at', sort_order: 'asc', limit: 1 } as const;
    const { next_cursor: cursor } = await kiln.readFiles.list(input, contextOf(tenantId));
    if (!cursor) throw new Error('no cursor');
    const refused = { code: 'BAD_REQUEST' };
    const list = (more: Partial<Input>, tenant = tenantId) =>
      kiln.readFiles.list({ ...input, cursor, ...more }, contextOf(tenant));
    await expect(list({}, uuidv7())).rejects.toMatchObject(refused);
    await expect(list({ sort_by: 'filename' })).rejects.toMatchObject(refused);
    await expect(list({ sort_order: 'desc' })).rejects.toMatchObject(refused);
    const forge = (sort: string, values: unknown[]) =>
      Buffer.from(JSON.stringify([`files:${tenantId}:${sort}:asc`, values])).toString('base64url');
    await expect(list({ cursor: forge('created_at', ['0000-01-01T00:00:00Z', uuidv7()]) })).rejects.toMatchObject(
      refused,
    );
    await expect(list({ sort_by: 'filename', cursor: forge('filename', ['\u0000', uuidv7()]) })).rejects.toMatchObject(
      refused,
    );
  });
});

// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, passesFilter, type FileFilter, type FilesInput } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

interface Row {
  id: string;
  status: string;
  content_type: string | null;
  created_at: string;
  metadata: Record<string, string>;
}

/** More than two parts of a list. */
const COUNT = 1_200;
const FIRST_DAY = Date.UTC(2026, 0, 1);

describe('files that pass a filter', () => {
  let kiln: FilesHarness;
  const tenantId = uuidv7();
  const rows = Array.from({ length: COUNT }, (_, at): Row => ({
    id: uuidv7(),
    status: at % 3 === 0 ? 'failed' : 'completed',
    content_type: at % 5 === 0 ? null : 'text/plain; charset=utf-8',
    created_at: new Date(FIRST_DAY + at * 3_600_000).toISOString(),
    metadata: { team: at % 2 === 0 ? 'x' : 'y', year: String(2_000 + (at % 30)), ...(at === 700 && { rare: 'yes' }) },
  }));
  beforeAll(async () => {
    kiln = await startFiles();
    const insert = async (tenant: string, some: readonly Row[]) =>
      kiln.sql(
        `insert into files (tenant_id, id, space_id, status, filename, content_type, size_bytes, created_at, updated_at, metadata)
         select $1, id, $3, status, 'a.txt', content_type, 1, created_at, created_at, metadata
         from jsonb_to_recordset($2::jsonb) as r (id uuid, status text, content_type text, created_at timestamptz, metadata jsonb)`,
        [tenant, JSON.stringify(some), await kiln.spaceId(tenant, 'default')],
      );
    await insert(tenantId, rows);
    await insert(
      uuidv7(),
      rows.slice(0, 50).map((row) => ({ ...row, id: uuidv7() })),
    );
  });
  afterAll(() => kiln.close());

  async function listed(input: Partial<FilesInput<'listFiles'>>, tenant = tenantId) {
    const ids: string[] = [];
    let pages = 0;
    for (let cursor: string | null | undefined; cursor !== null; pages++) {
      const query = { sort_by: 'created_at' as const, sort_order: 'asc' as const, limit: 100, ...input };
      const page = await kiln.readFiles.list({ ...query, ...(cursor !== undefined && { cursor }) }, contextOf(tenant));
      ids.push(...page.files.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    return { ids, pages };
  }
  const expected = (filter: FileFilter) =>
    rows
      .map((row) => ({ ...row, file_id: encodeId('file', row.id), external_id: null, space: 'default' }))
      .filter((row) => passesFilter(row, filter))
      .map(({ file_id: id }) => id);

  const filters: FileFilter[] = [
    { 'metadata.rare': { exists: true } },
    { 'metadata.rare': { eq: 'yes' } },
    { 'metadata.year': { gte: 2_010, lt: 2_012 } },
    {
      and: [
        { 'metadata.team': { eq: 'x' } },
        { status: { eq: 'failed' } },
        { not: { content_type: { eq: 'text/plain' } } },
      ],
    },
    { or: [{ created_at: { lt: '2026-01-02' } }, { created_at: { gte: '2026-02-18T12:00' } }] },
    { content_type: { exists: false } },
    { space: { in: ['default', 'other'] } },
  ];
  it.each(filters)('are listed, all of them and no others, in order: %j', async (filter) => {
    const wanted = expected(filter);
    expect(wanted.length).toBeGreaterThan(0);
    expect((await listed({ filter })).ids).toStrictEqual(wanted);
    expect((await listed({ filter, sort_order: 'desc', limit: 7 })).ids).toStrictEqual(wanted.toReversed());
  });

  it('are listed together with the other filters of a list', async () => {
    const filter: FileFilter = { 'metadata.year': { gt: 2_028 } };
    const { ids } = await listed({ filter, status: 'failed', metadata: { team: 'y' } });
    const both: FileFilter = { and: [filter, { status: { eq: 'failed' } }, { 'metadata.team': { eq: 'y' } }] };
    expect(ids).toStrictEqual(expected(both));
    expect((await listed({ filter: { status: { eq: 'failed' } }, status: 'completed' })).ids).toStrictEqual([]);
    expect((await listed({ filter: { space: { eq: 'other' } }, space: 'default' })).ids).toStrictEqual([]);
  });

  it('are read in a bounded number of parts for each page, and the list goes on', async () => {
    const none = await listed({ filter: { 'metadata.none': { eq: 'x' } } });
    expect(none).toStrictEqual({ ids: [], pages: 1 });
  });

  it('by the time of their creation that lists show, which has no milliseconds', async () => {
    const context = contextOf(uuidv7());
    const file = storedFile();
    await kiln.registerFiles.stored(file, context);
    const created = '2026-03-01T10:00:00.413Z';
    await kiln.sql('update files set created_at = $2 where tenant_id = $1', [context.tenantId, created]);
    const { created_at: shown } = await kiln.readFiles.get({ id: file.file_id }, context);
    const filters: FileFilter[] = [
      { created_at: { eq: shown } },
      { created_at: { in: [shown] } },
      { created_at: { gte: shown, lte: shown } },
      { not: { created_at: { gt: shown } } },
    ];
    for (const filter of filters) {
      expect([filter, (await listed({ filter }, context.tenantId)).ids]).toStrictEqual([filter, [file.file_id]]);
    }
  });

  it('have a cursor that belongs to their filter', async () => {
    const list = (more: Partial<FilesInput<'listFiles'>>) =>
      kiln.readFiles.list({ sort_by: 'created_at', sort_order: 'asc', limit: 1, ...more }, contextOf(tenantId));
    const { next_cursor: cursor } = await list({ filter: { status: { eq: 'failed' } } });
    await expect(list({ filter: { status: { eq: 'completed' } }, cursor: cursor ?? '' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  it('are those of the tenant among the files that a search names', async () => {
    const context = contextOf(uuidv7());
    const [passing, other] = [storedFile({ metadata: { year: '2020' } }), storedFile({ metadata: { year: '2019' } })];
    for (const file of [passing, other]) await kiln.registerFiles.stored(file, context);
    const file_ids = [passing.file_id, other.file_id, encodeId('file', rows[0]?.id ?? '')];
    const filter: FileFilter = { 'metadata.year': { gte: 2_020 } };
    for (const details of [undefined, { metadata_bytes_max: 100 }]) {
      const found = await kiln.readFiles.findExisting({ file_ids, filter, ...(details && { details }) }, context);
      expect(found.file_ids).toStrictEqual([passing.file_id]);
      expect(found.files?.map(({ file_id: id }) => id)).toStrictEqual(details && [passing.file_id]);
    }
  });
});

// Real: Postgres. Faked: nothing. The statements of a list of 20,000 files of one tenant. What each reads: file-list-plan.stress.spec.ts.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import type { Queryable, Statement } from '@kiln/platform';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';
import { addManyFiles } from '../test/many-files.js';
import type { ListQuery } from './file-list.statements.js';
import { FileListStore, SKIP_MAX } from './file-list.store.js';

const OTHER_FILES = 5_000;
/** More than two pages may skip. */
const AHEAD = 45_000;
const SLICE = 2_500;

describe('a page of the list of files', () => {
  let kiln: FilesHarness;
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startFiles();
    await addManyFiles(kiln, tenantId);
    await addManyFiles(kiln, uuidv7(), OTHER_FILES);
  });
  afterAll(() => kiln.close());

  const query = (more: Partial<ListQuery>): ListQuery => ({
    tenantId,
    sortBy: 'created_at',
    sortOrder: 'desc',
    limit: 51,
    ...more,
  });

  it('stops after the sample when it fills the page, reads on when it promises to, and otherwise uses the filter’s index if it has few matches', async () => {
    const asked: string[] = [];
    const counting: Queryable = {
      query: (statement: Statement, values?: unknown[]) => {
        asked.push(statement.name);
        return kiln.database.query(statement, values);
      },
    };
    const lists = new FileListStore(counting);
    const steps = async (more: Partial<ListQuery>) => {
      const { files } = await lists.list(query(more));
      return [files.length, ...new Set(asked.splice(0))];
    };
    expect(await steps({ metadata: { half: '1' } })).toStrictEqual([51, 'list_created_desc_meta']);
    expect(await steps({ metadata: { rare: '7' } })).toStrictEqual([5, 'list_created_desc_meta', '']);
    const [sample, skipping] = ['list_created_desc_meta', 'list_created_desc_meta_skipping'];
    expect(await steps({ metadata: { part: 'early' } })).toStrictEqual([
      51,
      sample,
      '',
      skipping,
      'list_created_desc_meta_after_skipping',
    ]);
    expect(await steps({ metadata: { sixth: '1' } })).toStrictEqual([51, sample, skipping]);
  });

  it('skips a bounded number of files of a deleted space, and returns a cursor that continues after them', async () => {
    const doomed = await kiln.spaceId(tenantId, 'doomed');
    for (let first = 1; first <= AHEAD; first += SLICE)
      await kiln.sql(
        `insert into files (tenant_id, id, space_id, status, filename, size_bytes, created_at, updated_at)
         select $1, gen_random_uuid(), $2, 'completed', '!' || n, 1000000 + n, at, at
         from generate_series($3::int, $4::int) n, lateral (select '2027-01-01'::timestamptz + n * interval '1 s' as at) t`,
        [tenantId, doomed, first, first + SLICE - 1],
      );
    const context = contextOf(tenantId);
    const pageAfter = (cursor: string | null, input: Pick<ListQuery, 'sortBy' | 'sortOrder'>) =>
      kiln.readFiles.list(
        { sort_by: input.sortBy, sort_order: input.sortOrder, limit: 50, ...(cursor !== null && { cursor }) },
        context,
      );
    const places = [
      { sortBy: 'created_at', sortOrder: 'desc' },
      { sortBy: 'filename', sortOrder: 'asc' },
      { sortBy: 'size_bytes', sortOrder: 'desc' },
    ] as const;
    const before = new Map<string, string[]>();
    for (const place of places) {
      const { files } = await new FileListStore(kiln.database).list(query({ ...place, space: 'big' }));
      before.set(
        place.sortBy,
        files.slice(0, 10).map(({ id }) => encodeId('file', id)),
      );
    }
    await kiln.deleteSpace.execute({ name: 'doomed', cascade: true }, context);

    for (const place of places) {
      const seen: string[] = [];
      let cursor: string | null = null;
      let pages = 0;
      do {
        const page = await pageAfter(cursor, place);
        seen.push(...page.files.filter(({ space }) => space === 'big').map(({ id }) => id));
        expect(page.files.map(({ space }) => space)).not.toContain('doomed');
        cursor = page.next_cursor;
        pages++;
      } while (seen.length < 10 && cursor !== null);
      expect(seen.slice(0, 10)).toStrictEqual(before.get(place.sortBy));
      expect(pages).toBeLessThanOrEqual(1 + Math.ceil(AHEAD / SKIP_MAX));
    }
  });
});

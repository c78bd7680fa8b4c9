// Real: Postgres. Faked: the search service, by its contracts: it knows the words of each file. acceptance/src/files.spec.ts has the real one.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, MATCHED_FILES_MAX, type filesOperations, type OperationInput } from '@kiln/contracts';
import { randomNumbers, testSeed } from '@kiln/testing/seed';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';
import { PART_SIZE } from './search-list.service.js';

type Input = Pick<
  OperationInput<(typeof filesOperations)['listFiles']>,
  'sort_by' | 'sort_order' | 'search' | 'status' | 'metadata' | 'space'
>;

interface ModelRow {
  id: string;
  filename: string;
  size: number;
  status: 'uploaded' | 'completed';
  team: string;
  content: string;
}

const byDefault = { sort_by: 'created_at', sort_order: 'desc' } as const;
const SEED = testSeed();
const random = randomNumbers(SEED);
const WORDS = ['kiln', 'clay', 'glaze', 'slip', 'raku', 'ash'];
/** The first words are in most texts, the last ones in few. */
const someWords = () => WORDS.filter((_, at) => random(2 + at * at) === 0).join(' ');
const randomRow = (): ModelRow => ({
  id: uuidv7(),
  filename: `${['Ash', 'plan', 'Raku-x', 'Ton'][random(4)]}-${random(50)}.md`,
  size: random(100),
  status: random(3) === 0 ? 'uploaded' : 'completed',
  team: `t${random(2)}`,
  content: someWords(),
});

const matches = (row: ModelRow, { search = '', status, metadata }: Input) => {
  const words = row.content.split(' ');
  const hasWords = search
    .toLowerCase()
    .split(' ')
    .every((word) => words.includes(word));
  const isFound = row.filename.toLowerCase().includes(search.toLowerCase()) || hasWords;
  return isFound && (!status || row.status === status) && (!metadata || row.team === metadata['team']);
};

function sorted(rows: readonly ModelRow[], { sort_by: sort, sort_order: order }: Input): string[] {
  const compareIds = (a: ModelRow, b: ModelRow) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id));
  const ids = rows
    .toSorted((a, b) => {
      const bySize = a.size - b.size;
      const byName = Buffer.compare(Buffer.from(a.filename), Buffer.from(b.filename));
      return (sort === 'filename' ? byName : bySize) || compareIds(a, b);
    })
    .map(({ id }) => encodeId('file', id));
  return order === 'asc' ? ids : ids.toReversed();
}

describe(`a list with search (seed ${SEED})`, () => {
  let kiln: FilesHarness;
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());
  afterEach(() => {
    Object.assign(kiln.contents, { filesMax: MATCHED_FILES_MAX, isDown: false });
    kiln.contents.asked.length = 0;
  });

  /** The files are created in the order of their sizes. */
  async function add(tenantId: string, rows: readonly ModelRow[]): Promise<void> {
    await kiln.sql(
      `with added as (
         insert into files (tenant_id, id, space_id, status, filename, size_bytes, created_at, metadata)
         select $1, id, $3, status, filename, size, '2026-01-01'::timestamptz + size * interval '1 s', jsonb_build_object('team', team)
         from jsonb_to_recordset($2::jsonb) as r (id uuid, filename text, size int, status text, team text)
         returning tenant_id, id, filename)
       insert into file_names (tenant_id, file_id, name) select tenant_id, id, lower(filename) from added`,
      [tenantId, JSON.stringify(rows), await kiln.spaceId(tenantId, 'default')],
    );
    for (const { id, content } of rows) kiln.contents.set(tenantId, [id], content);
  }

  async function pages(tenantId: string, input: Input, limit: number, between = async () => {}): Promise<string[][]> {
    const found: string[][] = [];
    let cursor: string | null = null;
    do {
      const query = { ...input, limit, ...(cursor !== null && { cursor }) };
      const page = await kiln.readFiles.list(query, contextOf(tenantId));
      found.push(page.files.map(({ id }) => id));
      cursor = page.next_cursor;
      if (cursor !== null) await between();
    } while (cursor !== null);
    return found;
  }

  const ways = [
    { title: 'the files that search names', filesMax: MATCHED_FILES_MAX },
    { title: 'the files in order, because too many match', filesMax: 0 },
  ];
  it.each(ways)('returns what a filter of all files would, from $title', async ({ filesMax }) => {
    kiln.contents.filesMax = filesMax;
    const tenantId = uuidv7();
    const rows = Array.from({ length: 1_300 }, randomRow);
    await add(tenantId, rows);
    // Another tenant has the same names and contents.
    await add(
      uuidv7(),
      rows.slice(0, 100).map((row) => ({ ...row, id: uuidv7() })),
    );
    let found = 0;
    for (let round = 0; round < 24; round++) {
      const input: Input = {
        sort_by: (['created_at', 'size_bytes', 'filename'] as const)[round % 3] ?? 'filename',
        sort_order: round % 2 === 0 ? 'asc' : 'desc',
        search: ['kiln', 'Clay KILN', 'ash', 'raku', 'Ash slip', 'TON-1', 'wood', 'glaze clay kiln'][round % 8] ?? '',
        ...(round % 4 === 1 && { status: 'completed' }),
        ...(round % 5 === 2 && { metadata: { team: 't1' } }),
      };
      const expected = rows.filter((row) => matches(row, input));
      const listed = await pages(tenantId, input, 97);
      expect([input, listed.flat()]).toStrictEqual([input, sorted(expected, input)]);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(2_000);
  });

  it.each(ways)(
    'shows each remaining file once while others are added and deleted, from $title',
    async ({ filesMax }) => {
      kiln.contents.filesMax = filesMax;
      const tenantId = uuidv7();
      const stay = Array.from({ length: 60 }, randomRow);
      const go = Array.from({ length: 20 }, randomRow);
      await add(tenantId, [...stay, ...go]);
      const input = { sort_by: 'size_bytes', sort_order: 'asc', search: 'kiln' } as const;
      const listed = await pages(tenantId, input, 5, async () => {
        await add(tenantId, [randomRow()]);
        await kiln.sql('delete from files where tenant_id = $1 and id = $2', [tenantId, go.pop()?.id]);
      });
      const expected = sorted(
        stay.filter((row) => matches(row, input)),
        input,
      );
      expect(listed.flat().filter((id) => expected.includes(id))).toStrictEqual(expected);
      expect(new Set(listed.flat()).size).toBe(listed.flat().length);
    },
  );

  it('reads a bounded number of files for a page, and continues where it has stopped', async () => {
    kiln.contents.filesMax = 0;
    const tenantId = uuidv7();
    const partsMax = 3;
    kiln.searchLists.partsMax = partsMax;
    const many = PART_SIZE * partsMax + 100;
    const rows = Array.from({ length: many }, (_, size) => ({ ...randomRow(), size, content: 'clay' }));
    for (const row of rows.slice(0, 2)) row.content = 'wood';
    for (let first = 0; first < many; first += 1_000) await add(tenantId, rows.slice(first, first + 1_000));
    const listed = await pages(tenantId, { ...byDefault, search: 'wood' }, 50);
    expect(listed).toStrictEqual([[], sorted(rows.slice(0, 2), { ...byDefault, sort_by: 'size_bytes' })]);
    const calls = kiln.contents.asked.filter((subject) => subject.includes('Among'));
    expect(calls).toHaveLength(partsMax + 1);
  });

  it('is UNAVAILABLE without the search service, which other lists do not need', async () => {
    kiln.contents.isDown = true;
    const list = (more: object) => kiln.readFiles.list({ ...byDefault, limit: 5, ...more }, contextOf(uuidv7()));
    await expect(list({ search: 'clay' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    for (const more of [{}, { search: '' }, { search: ' ' }, { metadata: { a: 'b' } }])
      expect(await list(more)).toStrictEqual({ files: [], next_cursor: null });
  });
});

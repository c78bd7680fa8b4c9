// Real: Postgres. Faked: nothing. The worst case of a list: many files of one tenant, and filters with many matches.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MATCHED_FILES_MAX } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { startFiles, type FilesHarness } from '../test/files-harness.js';
import { addManyFiles, explain, FILES, touched } from '../test/many-files.js';
import { nameTermsOf } from './domain/name-terms.js';
import { collectStatement } from './file-list.collect.js';
import { skippingStatement } from './file-list.skipping.js';
import type { ListQuery, SearchedFiles } from './file-list.statements.js';
import { SKIP_WALK_MAX } from './file-list.store.js';

const LIMIT = 51;
/** Of each filter the matches that a page may look up, and one more. */
const FEW_MAX = 2_001;
const SORTS = ['created_at', 'updated_at', 'filename', 'size_bytes'] as const;
const ORDERS = ['asc', 'desc'] as const;

describe('a page of a list with a filter', () => {
  let kiln: FilesHarness;
  const tenantId = uuidv7();
  beforeAll(async () => {
    kiln = await startFiles();
    await addManyFiles(kiln, tenantId);
  });
  afterAll(() => kiln.close());

  /** A name, and the files whose content has a word: those with these sizes. */
  async function searchOf(text: string, sizes = 'false'): Promise<SearchedFiles> {
    const rows = await kiln.sql<{ id: string }>(`select id from files where tenant_id = $1 and ${sizes}`, [tenantId]);
    const names = nameTermsOf(text);
    if (!names) throw new Error('no text');
    return { ...names, fileIds: rows.map(({ id }) => id) };
  }
  const newest = () => searchOf('newest', `size_bytes > ${0.8 * FILES}`);
  /** As many files as the search service names at most, also some that do not exist any more. */
  async function stale(): Promise<SearchedFiles> {
    const { fileIds, ...names } = await searchOf('stale', `size_bytes > ${0.8 * FILES}`);
    const gone = Array.from({ length: MATCHED_FILES_MAX - fileIds.length }, () => uuidv7());
    return { ...names, fileIds: [...fileIds, ...gone] };
  }
  const searches = { newest, stale, 'ZZ-': () => searchOf('ZZ-') };

  const adverse: (Partial<ListQuery> & { text?: keyof typeof searches })[] = [
    { text: 'ZZ-' },
    { text: 'stale' },
    { text: 'newest', space: 'big' },
    { metadata: { part: 'last' } },
    { text: 'ZZ-', metadata: { part: 'last' } },
    { text: 'newest', metadata: { part: 'early' } },
  ];
  const adverseLists = adverse.flatMap((filter) =>
    SORTS.flatMap((sortBy) => ORDERS.map((sortOrder) => ({ filter, sortBy, sortOrder }))),
  );
  it.each(adverseLists)(
    'reads a bounded number of rows, however many files match: %j',
    async ({ filter: { text, ...filter }, ...order }) => {
      const search = text === undefined ? undefined : await searches[text]();
      const list: ListQuery = { ...filter, ...order, search, tenantId, limit: LIMIT };
      const collected = touched(await explain(kiln.database, collectStatement(list)));
      // The matches of both filters, and the look-ups of those of one, in files and in names.
      expect(collected).toBeLessThanOrEqual(4 * FEW_MAX);
      const skipped = touched(await explain(kiln.database, skippingStatement(list, SKIP_WALK_MAX)));
      // Each status may have read one more; the name of each file is looked up, and the space of each one that is listed.
      expect(skipped).toBeLessThanOrEqual(2 * SKIP_WALK_MAX + LIMIT + 10);
    },
  );
});

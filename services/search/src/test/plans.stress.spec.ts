// Real: Postgres. Faked: nothing. Other tenants have so many rows that the planner would show a scan over all of them.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Statement } from '@kiln/platform';
import { writeNewFiles } from '../text-index/new-files.store.js';
import { chooseFiles, extendBlocks, lastBlocks, takeTail } from '../merging/merge.statements.js';
import { markRanges, readBlocks, takeRanges } from '../merging/purge.statements.js';
import { clearFiles } from '../deletion/file-removal.store.js';
import { removePassages } from '../text-index/remove-passages.store.js';
import { readLanguages, readNumbered } from '../text-index/match.statements.js';
import { readIdsInOrder } from '../text-index/rank.store.js';
import { readAmong } from '../text-index/read-among.store.js';
import { readPassages } from '../text-index/chunk.store.js';
import { readFacets, readFurther, readIndex, WITH_ALL_FACETS } from '../text-index/read-index.statements.js';
import { readChanges } from '../vectors/vector-feed.store.js';
import { readSets, readVectors } from '../vectors/vector-search.statements.js';
import { deleteVectorParts, recordVectors } from '../vectors/write-vectors.store.js';
import { startSearch, type SearchHarness } from './search-harness.js';

const OTHER_TENANTS = `
  insert into posting_blocks (tenant_id, term, first, last, count, data)
    select ('00000000-0000-7000-8000-00000000000' || n % 10)::uuid, 'term' || n % 5000, n, n, 1, '@@AA' from generate_series(1, 50000) n;
  insert into tail_parts (tenant_id, file_id, part, last_place, chunks, chunk_length, titles, title_length, data, job_number, fence)
    select ('00000000-0000-7000-8000-00000000000' || n % 10)::uuid, gen_random_uuid(), 0, 1, 1, 1, 1, 1, '', 1, 1 from generate_series(1, 20000) n;
  insert into files (tenant_id, file_id, job_number, fence, first_number)
    select ('00000000-0000-7000-8000-00000000000' || n % 10)::uuid, gen_random_uuid(), 1, 1, n from generate_series(1, 20000) n;
  insert into chunks (tenant_id, file_id, index, body, start_offset, end_offset, heading_path)
    select tenant_id, file_id, 0, 'text', 0, 4, '{}' from files;
  insert into removed_ranges select tenant_id, first_number, 1, 1, 1, 1, 1 from files;
  insert into removed_windows select tenant_id, first_number, '' from files;
  insert into collected_windows select tenant_id, first_number, '' from files;
  insert into vector_generations (tenant_id, generation) select gen_random_uuid(), 1 from generate_series(1, 5000);
  insert into vector_sets (tenant_id, model, dimensions, files, vectors) select tenant_id, 'small', 8, 1, 1 from vector_generations;
  insert into vector_files (tenant_id, file_id, model, dimensions, generation, vectors, facets, job_number, fence)
    select tenant_id, file_id, 'small', 8, first_number, 1, '{}', 1, 1 from files;
  insert into vector_parts (tenant_id, file_id, first_index, vectors, codes) select tenant_id, file_id, 0, '', '' from files;
  insert into tenant_languages select gen_random_uuid(), 'english' from generate_series(1, 5000);
  insert into tenant_indexes (tenant_id) select gen_random_uuid() from generate_series(1, 5000);
  analyze`;

describe('the statements of the index', () => {
  let kiln: SearchHarness;
  const tenantId = randomUUID();
  beforeAll(async () => {
    kiln = await startSearch();
    for (const text of OTHER_TENANTS.split(';')) await kiln.database.query({ name: '', text });
  });
  afterAll(() => kiln.close());

  const ids = [randomUUID()];
  const cases: [Statement, unknown[]][] = [
    [readIndex, [tenantId, ['term1', 'term2'], 1_000, true, ...WITH_ALL_FACETS]],
    [readIndex, [tenantId, ['term1', 'term2'], 1_000_000, true, ['term2'], 256, 0]],
    [readFacets, [tenantId, ['term1', 'term2'], [1, 2]]],
    [readFurther, [tenantId, ['term1', 'term2'], 262_144, 524_288]],
    [readPassages, [tenantId, [1, null], [null, ids[0]], [null, 1], [null, 1], [0, 1], 1_000]],
    [readLanguages, [tenantId]],
    [readNumbered, [tenantId, [1, 2]]],
    [readIdsInOrder, [tenantId, [1, 2]]],
    [readAmong, [tenantId, ids, ['term1', 'term2']]],
    [chooseFiles, [tenantId, 512, null, null]],
    [takeTail, [tenantId, ids, [0]]],
    [lastBlocks, [tenantId, ['term1', 'term2']]],
    [extendBlocks, [tenantId, ['term1'], [1], [2], [1], ['AAAA']]],
    [takeRanges, [tenantId, 256, 1_000]],
    [markRanges, [tenantId, 256, 1_000]],
    [readBlocks, [tenantId, 'term1', 0, 256]],
    [readSets, [tenantId, 4]],
    [readChanges, [tenantId, 'small', 8, 0, ids[0], 0, 0, 64]],
    [readVectors, [tenantId, ids, [1], [1], [0], 32]],
    [deleteVectorParts, [tenantId, ids[0], 64]],
    [recordVectors, [tenantId, ids, ['small'], [8], [1], ['[]'], [1], [1]]],
    [removePassages, [[tenantId], ids]],
    [clearFiles, [[tenantId], ids]],
    [
      writeNewFiles,
      [
        tenantId,
        ids,
        [1],
        [1],
        [1],
        [1],
        [1],
        [0],
        [0],
        [''],
        [''],
        ['english'],
        ids,
        [0],
        ['a'],
        [0],
        [1],
        [null],
        ['[]'],
        ['{}'],
        512,
      ],
    ],
  ];
  for (const [statement, values] of cases) {
    it(`never scan a whole table: ${statement.name}`, async () => {
      const explain = { name: '', text: `explain (analyze, costs off, timing off) ${statement.text}` };
      const rows = await kiln.database.query<{ 'QUERY PLAN': string }>(explain, values);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/Index (Only )?Scan|Bitmap Index Scan/);
      expect(plan).not.toMatch(/Seq Scan/);
      // An index scan without the tenant would read as much as a scan of the table.
      expect(plan).not.toMatch(/Index Cond: (?!.*tenant_id = )/);
      expect(plan).not.toMatch(/Rows Removed by Filter: \d\d/);
    });
  }
});

// Real: Postgres of a new installation, without autovacuum. Faked: the worker.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blocksRead, eventually, withoutAutovacuum } from '@kiln/testing';
import { contextOf, startFiles, storedFile, type FilesHarness } from './test/files-harness.js';

const TENANT = '00000000-0000-7000-8000-000000000001';
const OTHER_FILES = 20_000;
const RUNS_AT_ONCE = 3;
/** Postgres may keep the plan of a statement from its sixth use. */
const FIRST_ROUNDS = 8;
const ROUNDS = 10;
/** The number of pages of one table or index. An index of the 20,000 has more than 100. */
const BLOCKS_PER_FILE_MAX = 50;
const variant = {
  content_type: 'text/plain',
  size_bytes: 1,
  content: 'a',
  content_key: null,
  provider: 'document_extractor' as const,
};

describe('a connection that was opened before there were files', () => {
  let kiln: FilesHarness;
  const context = contextOf(TENANT);
  beforeAll(async () => {
    kiln = await startFiles();
    await withoutAutovacuum(kiln.database);
  });
  afterAll(() => kiln.close());

  async function processFiles(): Promise<void> {
    const runs = [];
    for (let file = 0; file < RUNS_AT_ONCE; file++) {
      const input = storedFile();
      await kiln.registerFiles.stored(input, context);
      runs.push({ file_id: input.file_id, job_id: input.job_id ?? '', fence: 1 });
    }
    const begun = await kiln.runCalls.beginRuns.begin({ runs }, context);
    const variants = (['markdown', 'metadata'] as const).map((type) => ({ ...variant, type }));
    const results = runs.map((run) => ({ ...run, sha256: null, variants }));
    const finished = await kiln.runCalls.finishRuns.finish({ runs: results }, context);
    const refusals = [...begun.runs, ...finished.runs].map(({ refusal }) => refusal);
    expect(refusals).toStrictEqual(refusals.map(() => null));
  }

  const analyzedFiles = async () => {
    await processFiles();
    const [table] = await kiln.sql<{ files: number }>(
      `select reltuples as files from pg_class where oid = 'files'::regclass`,
    );
    return table?.files;
  };

  it('reads a bounded number of blocks for each file once many files have come, whatever plans it had', async () => {
    for (let round = 0; round < FIRST_ROUNDS; round++) await processFiles();
    await kiln.sql(
      `insert into files (tenant_id, id, space_id, status, filename)
       select $1, gen_random_uuid(), $2, 'completed', n::text from generate_series(1, $3) n`,
      [TENANT, await kiln.spaceId(TENANT, 'default'), OTHER_FILES],
    );
    await eventually(async () => expect(await analyzedFiles()).toBeGreaterThan(OTHER_FILES));
    const blocks = await blocksRead(kiln.database, async () => {
      for (let round = 0; round < ROUNDS; round++) await processFiles();
    });
    const files = ROUNDS * RUNS_AT_ONCE;
    expect([...blocks].filter(([, read]) => read > BLOCKS_PER_FILE_MAX * files)).toStrictEqual([]);
    expect(blocks.get('files_pkey')).toBeGreaterThanOrEqual(files);
  });
});

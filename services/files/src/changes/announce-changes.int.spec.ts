// Real: Postgres. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHANGED_FILES_MAX, encodeId, filesEvents, uuidOf, type EventData } from '@kiln/contracts';
import { randomNumbers, testSeed } from '@kiln/testing/seed';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, silentLogger, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { AnnounceChangesWorker } from './announce-changes.worker.js';
import { ChangedFileStore, CHANGES_MAX } from './changed-file.store.js';

type Announced = EventData<typeof filesEvents.filesChanged>['files'][number];

const SEED = testSeed();
const STATUSES = ['uploading', 'uploaded', 'processing', 'completed', 'failed'];

describe('changes of files', () => {
  let kiln: FilesHarness;
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  const newWorker = () => new AnnounceChangesWorker(kiln.database, new ChangedFileStore(kiln.database), silentLogger);
  async function announceAll() {
    const worker = newWorker();
    while (await worker.round());
  }
  async function events(tenantId: string): Promise<Announced[][]> {
    const rows = await kiln.sql<{ files: Announced[] }>(
      `select envelope::jsonb #> '{data,files}' as files from outbox
       where type = $1 and envelope::jsonb ->> 'tenantid' = $2 order by sequence`,
      [filesEvents.filesChanged.type, tenantId],
    );
    return rows.map(({ files }) => files);
  }
  const announced = async (tenantId: string) => (await events(tenantId)).flat();

  it('are announced as the newest state of each file, with its space, jobs and variants', async () => {
    const context = contextOf(uuidv7());
    const file = storedFile({ space: 'contracts', content_type: 'text/markdown', size_bytes: 7 });
    await kiln.registerFiles.stored(file, context);
    const run = { file_id: file.file_id, job_id: file.job_id ?? '', fence: 1 };
    await kiln.runCalls.begin(run, context);
    await announceAll();
    const content = { content: '# a', content_key: null, provider: 'document_extractor' as const };
    const variant = { type: 'markdown' as const, content_type: 'text/markdown', size_bytes: 3, ...content };
    await kiln.runCalls.finish({ ...run, variants: [variant] }, context);
    await announceAll();
    await announceAll();
    const [begun, finished, ...others] = await announced(context.tenantId);
    const state = {
      file_id: file.file_id,
      space: 'contracts',
      content_type: 'text/markdown',
      size_bytes: 7,
      jobs: 1,
      created_at: expect.any(String),
      version: expect.any(Number),
    };
    expect([begun, finished]).toStrictEqual([
      { ...state, status: 'processing', variants: 0 },
      { ...state, status: 'completed', variants: 1 },
    ]);
    expect(finished?.version).toBeGreaterThan(begun?.version ?? Infinity);
    expect(others).toStrictEqual([]);
  });

  it('include variants that a run commits before it ends', async () => {
    const context = contextOf(uuidv7());
    const file = storedFile();
    await kiln.registerFiles.stored(file, context);
    const run = { file_id: file.file_id, job_id: file.job_id ?? '', fence: 1 };
    await kiln.runCalls.begin(run, context);
    await announceAll();
    const key = `${context.tenantId}/${uuidOf('file', file.file_id)}/${uuidOf('job', run.job_id)}/1/metadata`;
    const variant = { type: 'metadata' as const, content_type: 'application/json', size_bytes: 3, content_key: key };
    await kiln.runCalls.commit({ ...run, ...variant, provider: 'document_extractor' as const }, context);
    await announceAll();
    expect((await announced(context.tenantId)).map(({ variants }) => variants)).toStrictEqual([0, 1]);
  });

  it('of a deleted file are not announced', async () => {
    const context = contextOf(uuidv7());
    const file = storedFile();
    await kiln.registerFiles.stored(file, context);
    await kiln.runCalls.begin({ file_id: file.file_id, job_id: file.job_id ?? '', fence: 1 }, context);
    await kiln.deleteFiles.one({ id: file.file_id }, context);
    await announceAll();
    expect(await announced(context.tenantId)).toStrictEqual([]);
  });

  it('of many files and tenants are announced in bounded events of one tenant each', async () => {
    const tenants = [uuidv7(), uuidv7()];
    const count = CHANGED_FILES_MAX * 2 + 100;
    for (const tenantId of tenants) {
      await kiln.sql(
        `insert into files (tenant_id, id, space_id, filename, status)
         select $1, gen_random_uuid(), $2, 'a', 'uploading' from generate_series(1, $3)`,
        [tenantId, await kiln.spaceId(tenantId, 'default'), count],
      );
      await kiln.sql(`update files set status = 'uploaded' where tenant_id = $1`, [tenantId]);
    }
    await announceAll();
    for (const tenantId of tenants) {
      const sizes = (await events(tenantId)).map((files) => files.length);
      expect(Math.max(...sizes)).toBe(CHANGED_FILES_MAX);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count);
    }
  });

  it('of more statements than a round announces are all announced, each file once in a round', async () => {
    const context = contextOf(uuidv7());
    const file = storedFile();
    await kiln.registerFiles.stored(file, context);
    for (let change = 0; change <= CHANGES_MAX; change++) {
      await kiln.sql('update files set size_bytes = $2 where tenant_id = $1', [context.tenantId, change]);
    }
    await announceAll();
    expect((await announced(context.tenantId)).map(({ size_bytes }) => size_bytes)).toStrictEqual([
      CHANGES_MAX,
      CHANGES_MAX,
    ]);
  });

  it(`that happen while several processes announce end in the state that was announced under the highest version (seed ${SEED})`, async () => {
    const tenantId = uuidv7();
    const spaceId = await kiln.spaceId(tenantId, 'default');
    const ids = Array.from({ length: 30 }, () => uuidv7());
    await kiln.sql(
      `insert into files (tenant_id, id, space_id, filename, status) select $1, unnest($2::uuid[]), $3, 'a', 'uploading'`,
      [tenantId, ids, spaceId],
    );
    await kiln.sql('update files set size_bytes = 1 where tenant_id = $1', [tenantId]);
    const random = randomNumbers(SEED);
    const change = async () => {
      for (let round = 0; round < 40; round++) {
        await kiln.sql('update files set status = $3, size_bytes = $4 where tenant_id = $1 and id = $2', [
          tenantId,
          ids[random(ids.length)],
          STATUSES[random(5)],
          random(1_000),
        ]);
      }
    };
    const progress = { changing: true };
    const announce = async () => {
      const worker = newWorker();
      while (progress.changing) await worker.round();
    };
    const announcing = Promise.all([announce(), announce()]);
    await Promise.all([change(), change(), change(), change()]);
    progress.changing = false;
    await announcing;
    await announceAll();
    const newest = new Map<string, Announced>();
    for (const file of await announced(tenantId)) {
      if (file.version > (newest.get(file.file_id)?.version ?? -1)) newest.set(file.file_id, file);
    }
    const rows = await kiln.sql<{ id: string; status: string; size_bytes: number | null }>(
      'select id, status, size_bytes from files where tenant_id = $1',
      [tenantId],
    );
    const states = [...newest.values()].map(({ file_id, status, size_bytes }) => `${file_id} ${status} ${size_bytes}`);
    const now = rows.map(({ id, status, size_bytes }) => `${encodeId('file', id)} ${status} ${size_bytes}`);
    expect(new Set(states)).toStrictEqual(new Set(now));
    expect(states).toHaveLength(ids.length);
  });
});

// Real: Postgres. Faked: nothing. Variants are written by SQL: what is tested is how they are read.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, uuidOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { IndexedFileStore } from './indexed-file.store.js';
import { ReadIndexedFiles } from './read-indexed-files.usecase.js';

describe('indexed files', () => {
  let kiln: FilesHarness;
  let read: ReadIndexedFiles;
  beforeAll(async () => {
    kiln = await startFiles();
    read = new ReadIndexedFiles(new IndexedFileStore(kiln.database));
  });
  afterAll(() => kiln.close());

  async function add(tenantId: string, { isIndexed = true, jobId = null as string | null } = {}) {
    const input = storedFile({ metadata: { a: 'b' } });
    await kiln.registerFiles.stored(input, contextOf(tenantId));
    const madeBy = jobId ?? uuidOf('job', input.job_id ?? '');
    for (const type of isIndexed ? ['markdown', 'searchable-index'] : ['markdown']) {
      await kiln.sql(
        `insert into variants (tenant_id, file_id, type, id, job_id, content_type, size_bytes, content, provider)
         values ($1, $2, $3, $4, $5, 'text/plain', 1, 'x', 'document_extractor')`,
        [tenantId, uuidOf('file', input.file_id), type, uuidv7(), madeBy],
      );
    }
    return input;
  }
  const missing = { code: 'NOT_FOUND' };

  it('are listed in pages, in the order of their ids, without other files and other tenants', async () => {
    const [tenantId, other] = [uuidv7(), uuidv7()];
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push((await add(tenantId)).file_id);
    await add(tenantId, { isIndexed: false });
    await add(other);
    const context = contextOf(tenantId);
    const first = await read.list({ after: null, limit: 3 }, context);
    const second = await read.list({ after: first.file_ids.at(-1) ?? null, limit: 3 }, context);
    expect([...first.file_ids, ...second.file_ids]).toStrictEqual(ids.toSorted());
    expect(first.file_ids).toHaveLength(3);
  });

  it('name the run that indexed them: of a former job, one that every run of the current job supersedes', async () => {
    const tenantId = uuidv7();
    const context = contextOf(tenantId);
    const current = await add(tenantId);
    await kiln.sql('update files set job_number = 3, job_fence = 7 where tenant_id = $1', [tenantId]);
    const file = {
      file_id: current.file_id,
      space: 'default',
      filename: current.filename,
      content_type: null,
      metadata: { a: 'b' },
    };
    const found = await read.get({ file_id: current.file_id }, context);
    expect(found).toStrictEqual({ ...file, job_id: current.job_id, job_number: 3, fence: 7 });
    const jobId = uuidv7();
    const former = await add(tenantId, { jobId });
    await kiln.sql('update files set job_number = 3, job_fence = 7 where tenant_id = $1 and id = $2', [
      tenantId,
      uuidOf('file', former.file_id),
    ]);
    expect(await read.get({ file_id: former.file_id }, context)).toMatchObject({
      job_id: encodeId('job', jobId),
      job_number: 2,
      fence: 2_147_483_647,
    });
  });

  it('are not found when they are deleted, not indexed, or of another tenant', async () => {
    const tenantId = uuidv7();
    const [indexed, plain] = [await add(tenantId), await add(tenantId, { isIndexed: false })];
    const get = (id: string, as = tenantId) => read.get({ file_id: id }, contextOf(as));
    await expect(get(plain.file_id)).rejects.toMatchObject(missing);
    await expect(get(indexed.file_id, uuidv7())).rejects.toMatchObject(missing);
    await kiln.sql('delete from spaces where tenant_id = $1', [tenantId]);
    await expect(get(indexed.file_id)).rejects.toMatchObject(missing);
  });
});

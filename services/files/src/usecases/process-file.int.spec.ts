// Real: Postgres, the object store. Faked: nothing.
import { outputKey, uuidOf } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { RecordFailure } from './record-failure.usecase.js';

const superseded = { code: 'SUPERSEDED' };

describe('a run of a file', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  before(async () => {
    kiln = await startFiles();
  });
  after(() => kiln.close());

  async function register() {
    const input = storedFile();
    await kiln.createFile.execute(input, context);
    const { file_id } = input;
    const job_id = input.job_id ?? '';
    const fileId = uuidOf('file', file_id);
    const jobId = uuidOf('job', job_id);
    const run = (fence: number) => ({ file_id, job_id, fence });
    const commit = async (fence: number, key?: string, content = 'hello') => {
      const ownKey = outputKey(context.tenantId, fileId, jobId, fence, 'markdown.md');
      await kiln.objects.put(ownKey, content, { contentType: 'text/markdown' });
      return kiln.processFile.commitVariant(
        {
          ...run(fence),
          type: 'markdown',
          content_type: 'text/markdown',
          size_bytes: Buffer.byteLength(content),
          provider: 'document_extractor',
          content_key: key ?? ownKey,
        },
        context,
      );
    };
    return {
      file_id,
      fileId,
      jobId,
      commit,
      begin: (fence: number) => kiln.processFile.begin(run(fence), context),
      finish: (fence: number) => kiln.processFile.finish(run(fence), context),
      fail: (fence: number, ofJob = jobId) =>
        kiln.database.transaction((transaction) =>
          new RecordFailure(kiln.files).execute(transaction, { ...context, fileId, jobId: ofJob, fence }),
        ),
      read: () => kiln.readFiles.get({ id: file_id }, context),
      ready: async () => (await kiln.eventsOf(file_id)).filter((type) => type === 'variant.ready').length,
    };
  }

  it('may begin again, but not once a newer one has begun', async () => {
    const file = await register();
    await file.begin(2);
    await file.begin(2);
    await assert.rejects(file.begin(1), superseded);
    await file.begin(3);
    assert.equal((await file.read()).status, 'processing');
  });

  it('that is no longer the newest commits nothing that anyone can see', async () => {
    const file = await register();
    await file.begin(1);
    await file.begin(2);
    await assert.rejects(file.commit(1), superseded);
    await assert.rejects(file.finish(1), superseded);
    assert.deepEqual((await file.read()).variants, []);
    assert.equal(await file.ready(), 0);
  });

  it('commits a variant once, however often it says so', async () => {
    const file = await register();
    await file.begin(1);
    const ids = [await file.commit(1), ...(await Promise.all([file.commit(1), file.commit(1)]))].map(({ id }) => id);
    assert.equal(new Set(ids).size, 1);
    assert.equal(await file.ready(), 1);
  });

  it('is found in the list by the words of its markdown once that is committed, and by the newest only', async () => {
    const file = await register();
    const listed = async (search: string) => {
      const query = { search, limit: 50, sort_by: 'created_at', sort_order: 'desc' } as const;
      return (await kiln.readFiles.list(query, context)).files.some(({ id }) => id === file.file_id);
    };
    await file.begin(1);
    assert.equal(await listed('wombat'), false);
    const long = `# Tides\n\n${'padding '.repeat(20_000)} The Wombat swims.`;
    await file.commit(1, undefined, long);
    for (const search of ['WOMBAT', 'swims the', 'tides wombat', 'report.M']) assert.ok(await listed(search), search);
    for (const search of ['womba', 'wombat zebra']) assert.equal(await listed(search), false, search);
    await file.begin(2);
    await file.commit(2, undefined, 'Only quokkas.');
    assert.deepEqual([await listed('wombat'), await listed('quokkas')], [false, true]);
  });

  it('does not commit a markdown whose content is not in storage', async () => {
    const file = await register();
    await file.begin(1);
    const key = outputKey(context.tenantId, file.fileId, file.jobId, 1, 'other.md');
    await assert.rejects(file.commit(1, key), { code: 'CONFLICT', message: /not in storage/ });
    assert.deepEqual((await file.read()).variants, []);
  });

  it('finds what earlier runs of its job have committed', async () => {
    const file = await register();
    await file.begin(1);
    await file.commit(1);
    const { variants } = await file.begin(2);
    assert.deepEqual(
      variants.map(({ type }) => type),
      ['markdown'],
    );
    assert.deepEqual((await file.finish(2)).variants, ['markdown']);
  });

  it('commits nothing after it has finished or failed', async () => {
    const [finished, failed] = [await register(), await register()];
    await finished.begin(1);
    await finished.finish(1);
    await finished.finish(1);
    await assert.rejects(finished.commit(1), superseded);
    await assert.rejects(finished.begin(1), superseded);
    assert.equal((await finished.read()).status, 'completed');
    await failed.begin(1);
    await failed.fail(1);
    await assert.rejects(failed.commit(1), superseded);
    await assert.rejects(failed.finish(1), superseded);
    await assert.rejects(failed.begin(1), superseded);
    assert.equal((await failed.read()).status, 'failed');
  });

  it('hands out only what lies under its own prefix', async () => {
    const file = await register();
    await file.begin(1);
    const [tenant, other] = [context.tenantId, uuidv7()];
    const keys = [
      outputKey(other, file.fileId, file.jobId, 1, 'markdown.md'),
      outputKey(tenant, other, file.jobId, 1, 'markdown.md'),
      outputKey(tenant, file.fileId, other, 1, 'markdown.md'),
      outputKey(tenant, file.fileId, file.jobId, 2, 'markdown.md'),
      outputKey(tenant, file.fileId, file.jobId, 1, `../../../../${other}/source`),
      outputKey(tenant, file.fileId, file.jobId, 1, '..'),
      `${tenant}/${file.fileId}/source`,
      '',
    ];
    for (const key of keys) await assert.rejects(file.commit(1, key), { code: 'CONFLICT' });
    assert.deepEqual((await file.read()).variants, []);
  });

  it('cannot begin while the bytes are missing', async () => {
    const input = directUpload();
    await kiln.createUpload.execute(input, context);
    const run = { file_id: input.file_id, job_id: input.job_id ?? '', fence: 1 };
    await assert.rejects(kiln.processFile.begin(run, context), { code: 'CONFLICT', message: /bytes/ });
  });

  it('that failed fails its file, unless a newer run or another job has it', async () => {
    const file = await register();
    await file.begin(2);
    await file.fail(1);
    await file.fail(2, uuidv7());
    assert.equal((await file.read()).status, 'processing');
    await file.fail(2);
    assert.equal((await file.read()).status, 'failed');
    await file.begin(3);
    assert.equal((await file.read()).status, 'processing');
  });
});

// Real: Postgres, the object store. Faked: the worker, which names the hash of what it has read.
import { encodeId, sourceKey, uuidOf } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string];

describe('the SHA-256 of a file', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  before(async () => {
    kiln = await startFiles();
  });
  after(() => kiln.close());

  const hashOf = async (id: string) => (await kiln.readFiles.get({ id }, context)).sha256;
  async function processAgain(fileId: string) {
    const job = { file_id: fileId, job_id: encodeId('job', uuidv7()) };
    await kiln.processFiles.execute({ files: [job], batch_id: null, processing: {} }, context);
    const run = { ...job, fence: 1 };
    return { run, begun: await kiln.processFile.begin(run, context) };
  }
  /** A file whose bytes came by its signed URL, and its first run. */
  async function arrived() {
    const input = directUpload();
    const { upload_url: url } = await kiln.createUpload.execute(input, context);
    await fetch(url, { method: 'PUT', body: 'bytes' });
    await kiln.receiveUpload.execute(context.tenantId, uuidOf('file', input.file_id));
    const run = { file_id: input.file_id, job_id: input.job_id ?? '', fence: 1 };
    return { input, url, run, begun: await kiln.processFile.begin(run, context) };
  }

  it('that came by a signed URL is what its first finished run has read', async () => {
    const { input, run, begun } = await arrived();
    assert.deepEqual([begun.sha256, await hashOf(input.file_id)], [null, null]);
    await kiln.processFile.finish({ ...run, sha256: A }, context);
    await kiln.processFile.finish({ ...run, sha256: B }, context);
    assert.equal(await hashOf(input.file_id), A);
    assert.equal((await kiln.createUpload.execute(input, context)).id, input.file_id, 'a repeat is still recognised');
  });

  it('stays when the same bytes are processed again, and goes with bytes that were replaced', async () => {
    const { input, url, run } = await arrived();
    await kiln.processFile.finish({ ...run, sha256: A }, context);
    assert.equal((await processAgain(input.file_id)).begun.sha256, A);
    await fetch(url, { method: 'PUT', body: 'other bytes' });
    const again = await processAgain(input.file_id);
    const head = await kiln.objects.head(sourceKey(context.tenantId, uuidOf('file', input.file_id)));
    assert.deepEqual([again.begun.sha256, again.begun.source_etag], [null, head?.etag]);
    await kiln.processFile.finish({ ...again.run, sha256: C }, context);
    assert.equal(await hashOf(input.file_id), C);
  });

  it('that came through the gateway is what the gateway says, whatever a run has read', async () => {
    const input = storedFile({ sha256: A });
    await kiln.createFile.execute(input, context);
    const run = { file_id: input.file_id, job_id: input.job_id ?? '', fence: 1 };
    assert.equal((await kiln.processFile.begin(run, context)).sha256, A);
    await kiln.processFile.finish({ ...run, sha256: B }, context);
    assert.equal(await hashOf(input.file_id), A);
    const key = sourceKey(context.tenantId, uuidOf('file', input.file_id));
    await kiln.objects.put(key, 'bytes', { contentType: 'text/plain' });
    const { begun } = await processAgain(input.file_id);
    assert.deepEqual([begun.sha256, begun.source_etag], [A, null]);
  });

  it('is not told by a run that a newer one has replaced', async () => {
    const { input, run } = await arrived();
    await kiln.processFile.begin({ ...run, fence: 2 }, context);
    await assert.rejects(kiln.processFile.finish({ ...run, sha256: B }, context), { code: 'SUPERSEDED' });
    assert.equal(await hashOf(input.file_id), null);
    await kiln.processFile.finish({ ...run, fence: 2 }, context);
    assert.equal(await hashOf(input.file_id), null, 'no hash was stated');
  });
});

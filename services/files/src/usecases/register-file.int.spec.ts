// Real: Postgres, the object store. Faked: nothing.
import { encodeId } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

describe('registering a file', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  before(async () => {
    kiln = await startFiles();
  });
  after(() => kiln.close());

  it('repeated with the same ids, also at once, answers the same and states each fact once', async () => {
    const input = storedFile();
    const register = () => kiln.createFile.execute(input, context);
    const [first, ...repeats] = await Promise.all([register(), register(), register(), register()]);
    for (const repeat of [...repeats, await register()]) assert.deepEqual(repeat, first);
    assert.deepEqual(await kiln.eventsOf(input.file_id), ['file.created', 'file.processing.requested']);
  });

  it('repeated for a direct upload finds its row, and signs a URL again', async () => {
    const input = directUpload();
    const first = await kiln.createUpload.execute(input, context);
    const repeat = await kiln.createUpload.execute(input, context);
    assert.deepEqual({ ...repeat, upload_url: '' }, { ...first, upload_url: '' });
    assert.equal(first.status, 'uploading');
    assert.deepEqual(await kiln.eventsOf(input.file_id), ['file.created', 'file.processing.requested']);
  });

  it('with the id of another file is a conflict, and changes nothing', async () => {
    const input = storedFile();
    await kiln.createFile.execute(input, context);
    const others = [
      { filename: 'other.md' },
      { space: 'other' },
      { sha256: 'b'.repeat(64) },
      { job_id: encodeId('job', uuidv7()) },
    ];
    for (const other of others) {
      await assert.rejects(kiln.createFile.execute({ ...input, ...other }, context), { code: 'CONFLICT' });
    }
    await assert.rejects(kiln.createUpload.execute(directUpload(input), context), { code: 'CONFLICT' });
    assert.equal((await kiln.eventsOf(input.file_id)).length, 2);
  });

  it('at the same moment as another of the same id makes one of the two, whole, and refuses the other', async () => {
    const input = storedFile();
    const rival = { ...input, filename: 'other.md', job_id: null };
    const outcomes = await Promise.allSettled([input, rival].map((file) => kiln.createFile.execute(file, context)));
    assert.deepEqual(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
    const { filename } = await kiln.readFiles.get({ id: input.file_id }, context);
    const isFirst = filename === input.filename;
    assert.deepEqual(
      await kiln.eventsOf(input.file_id),
      isFirst ? ['file.created', 'file.processing.requested'] : ['file.created'],
    );
  });

  it('whose events can not be written makes nothing', async () => {
    const input = directUpload();
    await kiln.sql(`alter table outbox add constraint refuse check (type <> 'file.processing.requested') not valid`);
    await assert.rejects(kiln.createUpload.execute(input, context), /refuse/);
    await kiln.sql('alter table outbox drop constraint refuse');
    await assert.rejects(kiln.readFiles.get({ id: input.file_id }, context), { code: 'NOT_FOUND' });
    assert.deepEqual(await kiln.eventsOf(input.file_id), []);
  });

  it('without a job asks for none', async () => {
    const input = storedFile({ job_id: null });
    await kiln.createFile.execute(input, context);
    assert.deepEqual(await kiln.eventsOf(input.file_id), ['file.created']);
  });

  it('is seen by its tenant alone: to others every operation says not found', async () => {
    const input = storedFile();
    await kiln.createFile.execute(input, context);
    const other = contextOf(uuidv7());
    const run = { file_id: input.file_id, job_id: input.job_id ?? '', fence: 1 };
    const variant = {
      type: 'markdown',
      content_type: 'text/markdown',
      size_bytes: 1,
      provider: 'document_extractor',
    } as const;
    const fileUuid = uuidv7();
    const refused = { code: 'NOT_FOUND' };
    const superseded = { code: 'SUPERSEDED' };
    await assert.rejects(kiln.readFiles.get({ id: input.file_id }, other), refused);
    await assert.rejects(kiln.readVariants.list({ file_id: input.file_id }, other), refused);
    await assert.rejects(kiln.readVariants.get({ file_id: input.file_id, type: 'markdown' }, other), refused);
    await assert.rejects(kiln.processFile.begin(run, other), superseded);
    await assert.rejects(kiln.processFile.finish(run, other), superseded);
    const key = `${other.tenantId}/${fileUuid}/x`;
    await assert.rejects(kiln.processFile.commitVariant({ ...run, ...variant, content_key: key }, other), {
      name: 'CodedError',
    });
    const list = { sort_by: 'created_at', sort_order: 'desc', limit: 50 } as const;
    assert.deepEqual((await kiln.readFiles.list(list, other)).files, []);
    assert.equal((await kiln.createFile.execute(input, other)).id, input.file_id);
    assert.equal((await kiln.readFiles.get({ id: input.file_id }, context)).status, 'uploaded');
  });
});

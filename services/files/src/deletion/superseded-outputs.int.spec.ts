// Real: Postgres, the object store. Faked: the passing of time, by changing when a removal is due.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, outputKey, sourceKey, uuidOf } from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

describe('the removal of outputs that a later job replaces', () => {
  let kiln: FilesHarness;
  const context = contextOf(uuidv7());
  const { tenantId } = context;
  beforeAll(async () => {
    kiln = await startFiles();
  });
  afterAll(() => kiln.close());

  const put = (key: string) => kiln.objects.put(key, 'text', { contentType: 'text/plain' });

  /** A file whose first job has completed. */
  async function processed(externalId = uuidv7()) {
    const input = storedFile({ external_id: externalId });
    await kiln.registerFiles.stored(input, context);
    const { file_id } = input;
    const fileId = uuidOf('file', file_id);
    await put(sourceKey(tenantId, fileId));
    /** Runs the job once. Returns the key of its output. */
    const run = async (job_id: string) => {
      const fenced = { file_id, job_id, fence: 1 };
      await kiln.runCalls.begin(fenced, context);
      const content_key = outputKey(tenantId, fileId, uuidOf('job', job_id), 1, 'markdown.md');
      await put(content_key);
      const markdown = { type: 'markdown', content_type: 'text/plain', provider: 'document_extractor' } as const;
      await kiln.runCalls.commit({ ...fenced, ...markdown, size_bytes: 4, content_key }, context);
      await kiln.runCalls.finish(fenced, context);
      return content_key;
    };
    await run(input.job_id ?? '');
    const processAgain = async () => {
      const job = { file_id, job_id: encodeId('job', uuidv7()) };
      await kiln.processFiles.execute({ files: [job], batch_id: null, processing: {} }, context);
      return job.job_id;
    };
    const makeDue = () =>
      kiln.sql(`update object_removals set due_at = now() - interval '1 minute' where file_id = $1`, [fileId]);
    return {
      fileId,
      run,
      processAgain,
      sweep: async () => {
        await makeDue();
        await kiln.removeObjects.round();
      },
      claim: async () => {
        await makeDue();
        return (await kiln.removals.claimDue(100, 120)).filter((removal) => removal.fileId === fileId);
      },
      keys: async () => (await kiln.objects.list(`${tenantId}/${fileId}/`)).objects.map(({ key }) => key),
      /** When the removal is due. Empty if none is queued. */
      due: async () => {
        const text = `select case when due_at < now() + interval '1 hour' then 'soon' else 'after a day' end as due
                      from object_removals where file_id = $1`;
        return (await kiln.sql<{ due: string }>(text, [fileId])).map(({ due }) => due);
      },
    };
  }

  it('happens after the later job, however long that job waits', async () => {
    const file = await processed();
    const later = await file.processAgain();
    await file.sweep();
    expect(await file.due()).toStrictEqual([]);
    const output = await file.run(later);
    expect(await file.due()).toStrictEqual(['soon']);
    await file.sweep();
    expect((await file.keys()).toSorted()).toStrictEqual([sourceKey(tenantId, file.fileId), output].toSorted());
  });

  it('is not completed by a worker that began before the later job was requested', async () => {
    const file = await processed();
    await file.run(await file.processAgain());
    const claimed = await file.claim();
    expect(claimed).toHaveLength(1);
    await file.processAgain();
    await kiln.removals.complete(claimed);
    expect(await file.due()).toStrictEqual(['soon']);
    await file.sweep();
    expect(await file.due()).toStrictEqual(['after a day']);
  });

  it('is not completed by a worker that began before the later job ended', async () => {
    const file = await processed();
    const later = await file.processAgain();
    const claimed = await file.claim();
    expect(claimed).toHaveLength(1);
    const output = await file.run(later);
    await kiln.removals.complete(claimed);
    expect(await file.due()).toStrictEqual(['soon']);
    await file.sweep();
    expect((await file.keys()).toSorted()).toStrictEqual([sourceKey(tenantId, file.fileId), output].toSorted());
  });

  it('is not completed by a worker that began before an upload replaced the content', async () => {
    const file = await processed('replaced');
    await file.processAgain();
    const claimed = await file.claim();
    expect(claimed).toHaveLength(1);
    const upload = storedFile({ external_id: 'replaced', on_conflict: 'replace', job_id: null, skip_processing: true });
    await kiln.registerFiles.stored(upload, context);
    await kiln.removals.complete(claimed);
    expect(await file.due()).toStrictEqual(['soon']);
    await file.sweep();
    expect(await file.keys()).toStrictEqual([]);
    expect(await file.due()).toStrictEqual(['after a day']);
  });

  it('keeps the outputs of a job that was requested and ran while storage was slow to list the objects', async () => {
    const file = await processed();
    await file.run(await file.processAgain());
    const list = kiln.objects.list.bind(kiln.objects);
    let output = '';
    kiln.objects.list = async (...values) => {
      kiln.objects.list = list;
      output = await file.run(await file.processAgain());
      return list(...values);
    };
    await file.sweep();
    expect((await file.keys()).toSorted()).toStrictEqual([sourceKey(tenantId, file.fileId), output].toSorted());
  });

  it('is not postponed by requests of further jobs', async () => {
    const file = await processed();
    await file.run(await file.processAgain());
    expect(await file.due()).toStrictEqual(['soon']);
    await file.processAgain();
    expect(await file.due()).toStrictEqual(['soon']);
  });
});

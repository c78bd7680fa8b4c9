// Real: Postgres, object store. FAKES: the connections service and the worker, whose answers the tests choose.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  connectionsOperations,
  encodeId,
  jobsWorkerOperations,
  uuidOf,
  type CallContext,
  type Operation,
  type WorkerInput,
} from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';

describe('the image of a page', () => {
  let kiln: FilesHarness;
  let context: CallContext;
  let asked: WorkerInput<'drawPage'>[];
  let etag: string;
  const bucketUrl = 'https://bucket.example.com/a.pdf?signed';

  /** Runs before the worker stores the image. */
  let beforeStored: () => Promise<void>;

  async function drawn(input: WorkerInput<'drawPage'>) {
    asked.push(input);
    await beforeStored();
    if (input.page <= 2) await kiln.objects.put(input.image_key, 'png', { contentType: 'image/png' });
    return { page_count: 2 };
  }
  const answer = async (operation: Operation, input: never) => {
    if (operation.subject === jobsWorkerOperations.drawPage.subject) return drawn(input);
    if (operation.subject !== connectionsOperations.openObject.subject) throw new Error(operation.subject);
    const place = { url: bucketUrl, bucket: 'theirs', etag_header: 'etag', size_bytes: 10 };
    return { object: { ...place, etag, content_type: 'application/pdf' } };
  };
  beforeAll(async () => {
    kiln = await startFiles({ connectionsAnswer: answer });
  });
  beforeEach(() => {
    context = contextOf(uuidv7());
    [asked, etag] = [[], 'v1'];
    beforeStored = () => Promise.resolve();
  });
  afterAll(() => kiln.close());

  const upload = async (space = 'default') => {
    const file = storedFile({ space, filename: 'a.pdf', content_type: 'application/pdf' });
    await kiln.registerFiles.stored(file, context);
    return file.file_id;
  };
  const get = (file_id: string, asked: { page?: number; width?: 320 | 640; space?: string } = {}) =>
    kiln.getPageImage.execute({ file_id, page: 1, width: 320, ...asked }, context);

  it('is drawn once for each page and width', async () => {
    const file = await upload();
    const first = await get(file);
    expect(await get(file)).toStrictEqual(first);
    expect(asked).toHaveLength(1);
    await get(file, { width: 640 });
    await get(file, { page: 2 });
    expect(asked.map(({ page, width }) => [page, width])).toStrictEqual([
      [1, 320],
      [1, 640],
      [2, 320],
    ]);
    expect(new Set(asked.map(({ image_key: key }) => key)).size).toBe(3);
  });

  it('is not there for a page after the last, with the number of pages, nor for files of others', async () => {
    const file = await upload('mine');
    await expect(get(file, { page: 3 })).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'The file has 2 pages.' });
    await expect(get(file, { space: 'theirs' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await get(file, { space: 'mine' });
    const elsewhere = { ...context, tenantId: uuidv7() };
    const stolen = kiln.getPageImage.execute({ file_id: file, page: 1, width: 320 }, elsewhere);
    await expect(stolen).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'No file has this id.' });
    expect(asked).toHaveLength(2);
  });

  it('is removed with its file', async () => {
    const file = await upload();
    const { key } = await get(file);
    await kiln.deleteFiles.one({ id: file }, context);
    await expect(get(file)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    for (let more = true; more;) more = await kiln.removeObjects.round();
    expect(await kiln.objects.head(key)).toBeNull();
  });

  it('is removed with its file, also when it is stored after the first removal of the objects', async () => {
    const file = await upload();
    const { tenantId } = context;
    await kiln.sql(
      `update files set status = 'completed', updated_at = now() - interval '1 day' where tenant_id = $1`,
      [tenantId],
    );
    const removeAll = async () => {
      for (let more = true; more;) more = await kiln.removeObjects.round();
    };
    beforeStored = async () => {
      await kiln.deleteFiles.one({ id: file }, context);
      await removeAll();
    };
    const { key } = await get(file);
    expect(await kiln.objects.head(key)).not.toBeNull();
    await kiln.sql('update object_removals set due_at = now() where tenant_id = $1', [tenantId]);
    await removeAll();
    expect(await kiln.objects.head(key)).toBeNull();
  });

  it('of an object in an external bucket is drawn from there, and anew when the object has changed', async () => {
    const node = {
      node_id: encodeId('node', uuidv7()),
      connection_id: encodeId('connection', uuidv7()),
      path: 'a.pdf',
      name: 'a.pdf',
      size_bytes: 10,
      etag,
      content_type: null,
    };
    const process = () =>
      kiln.processNode.execute(
        {
          node: { ...node, etag },
          file_id: encodeId('file', uuidv7()),
          job_id: encodeId('job', uuidv7()),
          processing: {},
        },
        context,
      );
    const { file_id: file } = await process();
    const before = await get(file);
    expect(asked[0]).toMatchObject({
      content_type: 'application/pdf',
      source: { etag: 'v1', bucket: { url: bucketUrl, name: 'theirs', etag_header: 'etag' } },
    });
    etag = 'v2';
    await expect(get(file, { page: 2 })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('changed'),
    });
    await process();
    const after = await get(file);
    expect(after).not.toStrictEqual(before);
    expect(uuidOf('file', file)).toBe(after.key.split('/')[1]);
  });
});

// Real: Postgres, the object store, HTTP. Faked: the passing of time, by changing rows, and the loss of a process, by a store that fails.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceKey, uuidOf } from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { v7 as uuidv7 } from 'uuid';
import { AbortPartUpload } from './abort-part-upload.usecase.js';
import type { FindPartUpload, FoundUpload } from './find-part-upload.service.js';
import { contextOf, startFiles, type FilesHarness } from '../test/files-harness.js';
import { PART_BYTES, partCalls, partUpload, putPart } from '../test/part-calls.js';

const BYTES = randomBytes(2 * PART_BYTES + 11);
const bytesOf = (number: number) => BYTES.subarray((number - 1) * PART_BYTES, number * PART_BYTES);

/** A store in which one method is replaced. */
const storeWith = (objects: ObjectStore, change: Partial<ObjectStore>): ObjectStore =>
  new Proxy(objects, {
    get: (target, name) => {
      const found: unknown = Reflect.get(name in change ? change : target, name);
      return typeof found === 'function' ? (found.bind(target) as unknown) : found;
    },
  });

describe('an upload in parts', () => {
  let kiln: FilesHarness;
  let calls: ReturnType<typeof partCalls>;
  const context = contextOf(uuidv7());
  const { tenantId } = context;
  beforeAll(async () => {
    kiln = await startFiles();
    calls = partCalls(kiln);
  });
  afterAll(() => kiln.close());

  async function begin(overrides = {}) {
    const input = partUpload(BYTES.length, overrides);
    const upload = await calls.begin.execute(input, context);
    const fileId = uuidOf('file', upload.id);
    return { input, upload, id: upload.id, fileId, key: sourceKey(tenantId, fileId) };
  }
  async function send(id: string, ...numbers: number[]) {
    const { parts } = await calls.sign.execute({ id, part_numbers: numbers }, context);
    for (const part of parts) expect(await putPart(part, bytesOf(part.part_number))).toBe(200);
  }
  const complete = (id: string, parts?: { part_number: number; etag: string }[]) =>
    calls.complete.execute({ id, parts }, context);
  const state = (id: string, page: { limit?: number; cursor?: string } = {}) =>
    calls.read.execute({ id, limit: 200, cursor: undefined, ...page }, context);
  const storeUploadId = async (fileId: string) =>
    (await kiln.partUploads.find(tenantId, fileId))?.store_upload_id ?? '';

  it('becomes the file of its parts, whatever their order, and starts the job once', async () => {
    const { upload, id, key } = await begin();
    expect([upload.status, upload.part_bytes, upload.part_count]).toStrictEqual(['uploading', PART_BYTES, 3]);
    await send(id, 3, 1);
    const first = await state(id, { limit: 1 });
    expect(first.parts.map(({ part_number: number, size_bytes: size }) => [number, size])).toStrictEqual([
      [1, PART_BYTES],
    ]);
    const second = await state(id, { limit: 1, cursor: first.next_cursor ?? '' });
    expect([second.parts.map(({ part_number: number }) => number), second.next_cursor]).toStrictEqual([[3], null]);
    await send(id, 2);
    const { parts } = await state(id);
    const etags = parts.map(({ part_number, etag }) => ({ part_number, etag: `"${etag}"` }));
    expect(await complete(id, etags)).toMatchObject({ id, status: 'uploaded', size_bytes: BYTES.length });
    expect((await buffer((await kiln.objects.get(key)).body)).equals(BYTES)).toBe(true);
    // The response was lost.
    expect(await complete(id)).toMatchObject({ id, status: 'uploaded' });
    expect((await state(id)).parts).toStrictEqual([]);
    expect(await kiln.eventsOf(id)).toStrictEqual([
      'file.created',
      'file.processing.requested',
      'file.processing.requested',
    ]);
  });

  it('that is begun again finds the same upload at the store', async () => {
    const { input, upload, id, fileId } = await begin();
    await send(id, 1);
    const known = await storeUploadId(fileId);
    expect(await calls.begin.execute(input, context)).toStrictEqual(upload);
    expect(await storeUploadId(fileId)).toBe(known);
    expect((await state(id)).parts).toHaveLength(1);
  });

  it('goes on although the process was lost before the store knew the upload', async () => {
    const input = partUpload(BYTES.length);
    const lost = partCalls(kiln, {
      objects: storeWith(kiln.objects, { beginParts: () => Promise.reject(new Error('killed')) }),
    });
    await expect(lost.begin.execute(input, context)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    const id = input.file_id;
    await expect(complete(id)).rejects.toThrow('Part 1 is missing');
    await send(id, 1, 2, 3);
    expect((await complete(id)).status).toBe('uploaded');
  });

  it('has one upload at the store, although two requests begin it', async () => {
    const { fileId, key, id } = await begin();
    await kiln.sql('update part_uploads set store_upload_id = null where file_id = $1', [fileId]);
    const begun: string[] = [];
    const objects = storeWith(kiln.objects, {
      beginParts: async (at) => {
        const uploadId = await kiln.objects.beginParts(at);
        begun.push(uploadId);
        return uploadId;
      },
    });
    const { sign } = partCalls(kiln, { objects });
    await Promise.all([1, 2, 3].map((number) => sign.execute({ id, part_numbers: [number] }, context)));
    const known = await storeUploadId(fileId);
    expect(begun).toContain(known);
    for (const other of begun.filter((uploadId) => uploadId !== known))
      await expect(kiln.objects.listParts(key, other)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is complete although the process was lost after the store had joined the parts', async () => {
    const { id } = await begin();
    await send(id, 1, 2, 3);
    const objects = storeWith(kiln.objects, {
      completeParts: async (...args) => {
        await kiln.objects.completeParts(...args);
        throw new Error('killed');
      },
    });
    await expect(partCalls(kiln, { objects }).complete.execute({ id, parts: [] }, context)).rejects.toThrow('killed');
    expect((await complete(id)).status).toBe('uploaded');
  });

  it('shows the file instead of no parts after the store has joined the parts, although nothing has recorded it', async () => {
    const { id, fileId, key } = await begin();
    expect(await state(id)).toMatchObject({ status: 'uploading', parts: [] });
    await send(id, 1, 2, 3);
    const uploadId = await storeUploadId(fileId);
    await kiln.objects.completeParts(key, uploadId, (await kiln.objects.listParts(key, uploadId)).parts);
    expect(await state(id)).toMatchObject({ status: 'uploaded', parts: [], size_bytes: BYTES.length });
    expect((await kiln.eventsOf(id)).at(-1)).toBe('file.processing.requested');
  });

  it('is completed once by requests at the same time', async () => {
    const { id } = await begin();
    await send(id, 1, 2, 3);
    const results = await Promise.all([complete(id), complete(id), complete(id)]);
    expect(results.map(({ status }) => status)).toStrictEqual(['uploaded', 'uploaded', 'uploaded']);
    expect((await kiln.eventsOf(id)).filter((type) => type === 'file.processing.requested')).toHaveLength(2);
  });

  it('names the part that is missing, replaced or does not exist, and stays open', async () => {
    const { id } = await begin();
    await send(id, 1, 3);
    await expect(complete(id)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^Part 2 is missing: 2 of 3/),
    });
    await send(id, 2);
    const wrong = complete(id, [{ part_number: 2, etag: 'other' }]);
    await expect(wrong).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/^Part 2 was replaced/),
    });
    await expect(complete(id, [{ part_number: 4, etag: 'x' }])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(calls.sign.execute({ id, part_numbers: [1, 4] }, context)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringMatching(/part 4 does not exist/),
    });
    expect((await complete(id)).status).toBe('uploaded');
  });

  it('accepts no part of another size', async () => {
    const { id } = await begin();
    const { parts } = await calls.sign.execute({ id, part_numbers: [3] }, context);
    for (const part of parts) expect(await putPart(part, randomBytes(12))).toBe(403);
    expect((await state(id)).parts).toStrictEqual([]);
  });

  it('accepts no part once it is complete', async () => {
    const { id } = await begin();
    const { parts } = await calls.sign.execute({ id, part_numbers: [3] }, context);
    await send(id, 1, 2, 3);
    await complete(id);
    for (const part of parts) expect(await putPart(part, bytesOf(3))).toBe(404);
    await expect(calls.sign.execute({ id, part_numbers: [1] }, context)).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(calls.abort.execute({ id }, context)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('that is aborted leaves neither a file nor a part', async () => {
    const { id, fileId, key } = await begin();
    await send(id, 1);
    const uploadId = await storeUploadId(fileId);
    expect(await calls.abort.execute({ id }, context)).toStrictEqual({ deleted: true });
    await expect(state(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await kiln.removeObjects.round();
    await expect(kiln.objects.listParts(key, uploadId)).rejects.toMatchObject({ code: 'not_found' });
    expect(await kiln.partUploads.find(tenantId, fileId)).toBeNull();
    await expect(calls.abort.execute({ id }, context)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('that is completed while it is being aborted stays', async () => {
    const { id, fileId } = await begin();
    await send(id, 1, 2, 3);
    const find = {
      any: async () => {
        const found = { upload: { file_id: fileId }, replacement: null } as FoundUpload;
        await complete(id);
        return found;
      },
    };
    const abort = new AbortPartUpload(find as unknown as FindPartUpload, kiln.deleteFiles, kiln.receiveReplacement);
    await expect(abort.execute({ id }, context)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await complete(id)).toMatchObject({ id, status: 'uploaded' });
  });

  it('that is aborted while it is being completed is gone, and so is the object that the store has made of it', async () => {
    const { id, key } = await begin();
    await send(id, 1, 2, 3);
    let isAborted = false;
    // The store has joined the parts, and the arrival is not recorded yet.
    const get: ObjectStore['get'] = async (...read) => {
      const found = await kiln.objects.get(...read);
      if (!isAborted) await calls.abort.execute({ id }, context);
      isAborted = true;
      return found;
    };
    const late = partCalls(kiln, { objects: storeWith(kiln.objects, { get }) });
    await expect(late.complete.execute({ id, parts: [] }, context)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(isAborted).toBe(true);
    expect(await kiln.eventsOf(id)).toStrictEqual(['file.created', 'file.processing.requested', 'file.deleted']);
    await kiln.removeObjects.round();
    expect(await kiln.objects.head(key)).toBeNull();
  });

  it('of another tenant is not found', async () => {
    const { id } = await begin();
    const other = contextOf(uuidv7());
    const asked = [
      calls.sign.execute({ id, part_numbers: [1] }, other),
      calls.read.execute({ id, limit: 1, cursor: undefined }, other),
      calls.complete.execute({ id }, other),
      calls.abort.execute({ id }, other),
    ];
    for (const refused of asked) await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('of more bytes than the limit, which was lowered meanwhile, fails', async () => {
    const { id } = await begin();
    await send(id, 1, 2, 3);
    const lowered = partCalls(kiln, { uploadBytesMax: BYTES.length - 1 });
    const completed = lowered.complete.execute({ id }, context);
    await expect(completed).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect((await kiln.eventsOf(id)).at(-1)).toBe('file.upload.failed');
  });
});

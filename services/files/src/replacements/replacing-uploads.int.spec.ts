// Real: Postgres, the object store, HTTP, the worker of replacements. Faked: the passing of time, by changing when a row is due or expires.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { outputKey, sourceKey, uuidOf, type FilesOutput } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import {
  contextOf,
  directUpload,
  silentLogger,
  startFiles,
  storedFile,
  UPLOAD_BYTES_MAX,
  type FilesHarness,
  type NewStoredFile,
} from '../test/files-harness.js';
import { PART_BYTES, partCalls, partUpload, putPart } from '../test/part-calls.js';
import { ReplacementsWorker } from './replacements.worker.js';

const POLL_MS = 200;
const CONFLICT = { code: 'CONFLICT' };

describe('an upload that replaces the content of a file when its bytes arrive', () => {
  let kiln: FilesHarness;
  let worker: ReplacementsWorker;
  const context = contextOf(uuidv7());
  const { tenantId } = context;
  beforeAll(async () => {
    kiln = await startFiles();
    const { replacements, receiveReplacement, abortParts } = kiln;
    worker = new ReplacementsWorker(replacements, receiveReplacement, abortParts, silentLogger, POLL_MS);
    worker.start();
  });
  afterAll(async () => {
    await worker.stop();
    await kiln.close();
  });

  const keyOf = (id: string) => sourceKey(tenantId, uuidOf('file', id));
  const read = (id: string) => kiln.readFiles.get({ id }, context);
  const arrive = (id: string) => kiln.receiveUpload.execute(tenantId, uuidOf('file', id));
  const put = async (url: string, body: string | Buffer) =>
    expect(
      (await fetch(url, { method: 'PUT', body: typeof body === 'string' ? body : Uint8Array.from(body) })).status,
    ).toBe(200);
  const makeDue = (id: string, more = '') =>
    kiln.sql(`update replacements set due_at = now()${more} where upload_id = $1`, [uuidOf('file', id)]);
  const isWaiting = async (id: string) =>
    (await kiln.sql('select from replacements where upload_id = $1', [uuidOf('file', id)])).length > 0;
  const isForgotten = (id: string) => eventually(async () => expect(await isWaiting(id)).toBe(false));
  const removeDue = async () => {
    await kiln.sql('update object_removals set due_at = now()');
    await kiln.removeObjects.round();
  };

  /** A file whose bytes came through the gateway. */
  async function existing(externalId: string, fields: Partial<NewStoredFile> = {}) {
    const input = storedFile({ external_id: externalId, ...fields });
    await kiln.objects.put(keyOf(input.file_id), 'the former', { contentType: 'text/markdown' });
    return kiln.registerFiles.stored(input, context);
  }
  async function begin(externalId: string, fields: Partial<NewStoredFile> = {}) {
    const { space: _space, metadata: _metadata, ...upload } = directUpload(fields);
    const input = { ...upload, ...fields, external_id: externalId, on_conflict: 'replace' as const };
    const created = await kiln.registerFiles.upload(input, context);
    // The worker looks for it when the spec makes it due.
    await makeDue(input.file_id, " + interval '1 h'");
    return { input, created };
  }
  const download = async (id: string) => (await fetch((await kiln.downloadFile.execute({ id }, context)).url)).text();

  it('leaves the file as it is until then, and then has its true size and type', async () => {
    const file = await existing('direct', { space: 'letters', metadata: { year: '2025' } });
    const before = await read(file.id);
    const { input, created } = await begin('direct', { filename: 'new.bin' });
    expect(created).toMatchObject({ id: file.id, status: 'uploading', job_id: input.job_id, filename: 'new.bin' });
    expect([await read(file.id), await download(file.id)]).toStrictEqual([before, 'the former']);
    await put(created.upload_url, '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n');
    expect(await Promise.all([arrive(input.file_id), arrive(input.file_id)])).toStrictEqual([true, true]);
    expect(await read(file.id)).toMatchObject({
      status: 'uploaded',
      job_id: input.job_id,
      filename: 'new.bin',
      content_type: 'application/pdf',
      size_bytes: 29,
      space: 'letters',
      metadata: { year: '2025' },
    });
    expect(await download(file.id)).toMatch(/^%PDF/);
    const requested = 'file.processing.requested';
    expect((await kiln.eventsOf(file.id)).slice(2)).toStrictEqual([
      requested,
      'file.replaced',
      'file.updated',
      requested,
    ]);
  });

  it('is found by a check when no notification arrives', async () => {
    const file = await existing('unannounced');
    const { input, created } = await begin('unannounced');
    await put(created.upload_url, 'the new');
    await makeDue(input.file_id);
    await eventually(async () => expect((await read(file.id)).job_id).toBe(input.job_id));
    expect(await download(file.id)).toBe('the new');
  });

  it('is registered once, however often it is requested', async () => {
    const file = await existing('requested');
    const { input, created } = await begin('requested');
    const again = await kiln.registerFiles.upload(input, context);
    expect([again.id, again.job_id]).toStrictEqual([created.id, created.job_id]);
    expect((await kiln.eventsOf(file.id)).slice(2)).toStrictEqual(['file.processing.requested']);
    const other = kiln.registerFiles.upload({ ...input, job_id: storedFile().job_id }, context);
    await expect(other).rejects.toMatchObject(CONFLICT);
  });

  it('is no orphan before its bytes have arrived', async () => {
    await existing('early');
    const { input, created } = await begin('early');
    await put(created.upload_url, 'the new');
    const uploadId = uuidOf('file', input.file_id);
    expect(await kiln.orphanSearch.existing(tenantId, [uploadId])).toStrictEqual(new Set([uploadId]));
    await kiln.removals.addOrphans([{ tenantId, fileId: uploadId, dueAt: new Date() }]);
    await removeDue();
    await arrive(input.file_id);
    expect(await download(created.id)).toBe('the new');
  });

  it('creates a file if none has the external id', async () => {
    const { input, created } = await begin('none yet');
    expect(created.id).toBe(input.file_id);
    expect(await kiln.eventsOf(created.id)).toStrictEqual(['file.created', 'file.processing.requested']);
  });

  it('fails with its job when its URL expires, and leaves neither a change of the file nor bytes', async () => {
    const file = await existing('expired');
    const before = await read(file.id);
    const { input, created } = await begin('expired');
    await makeDue(input.file_id, `, expires_at = now() - interval '1 h'`);
    await isForgotten(input.file_id);
    expect((await kiln.eventsOf(file.id)).slice(2)).toStrictEqual(['file.processing.requested', 'file.upload.failed']);
    await put(created.upload_url, 'too late');
    expect(await arrive(input.file_id)).toBe(true);
    expect(await read(file.id)).toStrictEqual(before);
    await removeDue();
    expect(await kiln.objects.head(keyOf(input.file_id))).toBeNull();
  });

  it('fails when its bytes are over the limit', async () => {
    const file = await existing('large');
    const before = await read(file.id);
    const { input, created } = await begin('large');
    await put(created.upload_url, Buffer.alloc(UPLOAD_BYTES_MAX + 1, 'x'));
    expect(await arrive(input.file_id)).toBe(true);
    expect((await kiln.eventsOf(file.id)).at(-1)).toBe('file.upload.failed');
    expect(await read(file.id)).toStrictEqual(before);
    await removeDue();
    expect(await kiln.objects.head(keyOf(input.file_id))).toBeNull();
  });

  it('leaves no bytes when the file is deleted before they arrive', async () => {
    const file = await existing('deleted');
    const { input, created } = await begin('deleted');
    await kiln.deleteFiles.one({ id: file.id }, context);
    await put(created.upload_url, 'for nobody');
    expect(await arrive(input.file_id)).toBe(true);
    await removeDue();
    expect(await kiln.objects.head(keyOf(input.file_id))).toBeNull();
  });

  it('keeps its bytes when its URL has expired, but not bytes over the limit that the URL has accepted since', async () => {
    for (const later of [null, Buffer.alloc(UPLOAD_BYTES_MAX + 1, 'x')]) {
      const externalId = `ended ${later?.length}`;
      const file = await existing(externalId);
      const { input, created } = await begin(externalId);
      await put(created.upload_url, 'the new');
      await arrive(input.file_id);
      if (later) await put(created.upload_url, later);
      await makeDue(input.file_id);
      await isForgotten(input.file_id);
      await removeDue();
      const stored = await kiln.objects.head(keyOf(input.file_id));
      expect(stored?.sizeBytes).toBe(later ? undefined : 7);
      expect((await read(file.id)).size_bytes).toBe(7);
    }
  });

  it('replaces the content of a file that has lost its external id meanwhile', async () => {
    const file = await existing('lost');
    const run = { file_id: file.id, job_id: file.job_id ?? '', fence: 1 };
    await kiln.runCalls.begin(run, context);
    const content_key = outputKey(tenantId, uuidOf('file', file.id), uuidOf('job', run.job_id), 1, 'markdown.md');
    const markdown = { type: 'markdown', content_type: 'text/markdown', provider: 'document_extractor' } as const;
    await kiln.runCalls.commit({ ...run, ...markdown, size_bytes: 4, content_key }, context);
    await kiln.runCalls.finish(run, context);
    const { input, created } = await begin('lost');
    await kiln.updateFile.execute({ id: file.id, changes: { external_id: null } }, context);
    const eventsBefore = (await kiln.eventsOf(file.id)).length;
    await put(created.upload_url, 'the new');
    expect(await arrive(input.file_id)).toBe(true);
    const changed = { status: 'uploaded', job_id: input.job_id, size_bytes: 7, external_id: null, variants: [] };
    expect(await read(file.id)).toMatchObject(changed);
    expect(await download(file.id)).toBe('the new');
    expect((await kiln.eventsOf(file.id)).slice(eventsBefore)).toStrictEqual([
      'file.replaced',
      'file.updated',
      'file.processing.requested',
    ]);
    const requests = await kiln.sql<{ ready: boolean }>(
      `select envelope::jsonb #> '{data,ready}' as ready from outbox
       where type = 'file.processing.requested' and envelope::jsonb #>> '{data,job_id}' = $1 order by sequence`,
      [input.job_id],
    );
    expect(requests.map(({ ready }) => ready)).toStrictEqual([false, true]);
  });

  it('that another one replaces leaves no bytes, also those that its URL accepts afterwards', async () => {
    const file = await existing('twice');
    const first = await begin('twice');
    await put(first.created.upload_url, 'the first');
    await arrive(first.input.file_id);
    const second = await begin('twice');
    await put(second.created.upload_url, 'the second');
    await arrive(second.input.file_id);
    await removeDue();
    await put(first.created.upload_url, 'the first again');
    await makeDue(first.input.file_id);
    await isForgotten(first.input.file_id);
    await removeDue();
    expect(await kiln.objects.head(keyOf(first.input.file_id))).toBeNull();
    expect(await download(file.id)).toBe('the second');
  });

  describe('in parts', () => {
    async function inParts(externalId: string) {
      const calls = partCalls(kiln);
      const { space: _space, metadata: _metadata, ...fields } = partUpload(PART_BYTES + 1);
      const input = { ...fields, external_id: externalId, on_conflict: 'replace' as const };
      const upload = await calls.begin.execute(input, context);
      await makeDue(input.file_id, " + interval '1 h'");
      const send = async () => {
        const { parts } = await calls.sign.execute({ id: upload.id, part_numbers: [1, 2] }, context);
        for (const part of parts) expect(await putPart(part, Buffer.alloc(part.size_bytes, 'p'))).toBe(200);
      };
      return { calls, input, upload, send };
    }

    it('has an id of its own, and returns the file when it is completed', async () => {
      const file = await existing('parts');
      const { calls, input, upload, send } = await inParts('parts');
      expect([upload.id, upload.file_id, upload.status]).toStrictEqual([input.file_id, file.id, 'uploading']);
      await send();
      const listed = await calls.read.execute({ id: upload.id, limit: 10 }, context);
      expect(listed.parts.map(({ part_number: number }) => number)).toStrictEqual([1, 2]);
      expect((await read(file.id)).job_id).toBe(file.job_id);
      const complete = (): Promise<FilesOutput<'completePartUpload'>> =>
        calls.complete.execute({ id: upload.id }, context);
      const completed = await complete();
      expect(completed).toMatchObject({ id: file.id, job_id: input.job_id, size_bytes: PART_BYTES + 1 });
      expect(await complete()).toStrictEqual(completed);
      await expect(calls.abort.execute({ id: upload.id }, context)).rejects.toMatchObject(CONFLICT);
    });

    it('leaves the file and no parts when it is aborted', async () => {
      const file = await existing('aborted');
      const before = await read(file.id);
      const { calls, upload, send } = await inParts('aborted');
      await send();
      expect(await calls.abort.execute({ id: upload.id }, context)).toStrictEqual({ deleted: true });
      await expect(calls.complete.execute({ id: upload.id }, context)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect(await read(file.id)).toStrictEqual(before);
      expect((await kiln.eventsOf(file.id)).at(-1)).toBe('file.upload.failed');
      await removeDue();
      expect(await kiln.partUploads.find(tenantId, uuidOf('file', upload.id))).toBeNull();
    });
  });
});

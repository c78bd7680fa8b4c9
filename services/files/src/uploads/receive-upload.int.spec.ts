// Real: Postgres, the object store, HTTP, the pending-uploads worker. Faked: the passing of time, by changing when an upload
// is due or expires in its row.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId, sourceKey, uuidOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { PrepareRetry } from '../processing/prepare-retry.usecase.js';
import {
  contextOf,
  directUpload,
  silentLogger,
  startFiles,
  UPLOAD_BYTES_MAX,
  type FilesHarness,
} from '../test/files-harness.js';
import { PendingUploadsWorker } from './pending-uploads.worker.js';
import { storageEventsRoute } from './storage-events.route.js';

const TOKEN = 'a-token-of-the-store';
/** The specs make rows due directly, which wakes no worker. */
const POLL_MS = 200;
const PDF = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n';

describe('a direct upload', () => {
  let kiln: FilesHarness;
  let server: Server;
  let worker: PendingUploadsWorker;
  const context = contextOf(uuidv7());
  beforeAll(async () => {
    kiln = await startFiles();
    const route = storageEventsRoute(TOKEN, kiln.receiveUpload, silentLogger);
    server = createServer((request, response) => void route(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { pendingUploads, receiveUpload } = kiln;
    worker = new PendingUploadsWorker(pendingUploads, receiveUpload, kiln.objects, silentLogger, POLL_MS);
  });
  afterAll(async () => {
    await worker.stop();
    server.close();
    await kiln.close();
  });

  async function create() {
    const input = directUpload({ filename: 'report.bin', content_type: 'text/plain' });
    const { upload_url: url } = await kiln.registerFiles.upload(input, context);
    const key = sourceKey(context.tenantId, uuidOf('file', input.file_id));
    const fileId = uuidOf('file', input.file_id);
    // The worker looks for it when the spec makes it due.
    await kiln.sql(`update pending_uploads set due_at = now() + interval '1 h' where file_id = $1`, [fileId]);
    return { id: input.file_id, fileId, url, key, read: () => kiln.readFiles.get({ id: input.file_id }, context) };
  }
  const put = async (url: string) => expect((await fetch(url, { method: 'PUT', body: PDF })).status).toBe(200);
  const post = async (body: string, token = TOKEN) => {
    const { port } = server.address() as AddressInfo;
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`http://127.0.0.1:${port}/storage-events`, { method: 'POST', body, headers })).status;
  };
  const notification = (...keys: string[]) =>
    JSON.stringify({ Records: keys.map((key) => ({ eventName: 's3:ObjectCreated:Put', s3: { object: { key } } })) });
  const arrivedEvents = ['file.created', 'file.processing.requested', 'file.processing.requested'];

  it('is recorded once with its real size and type, however often it is announced', async () => {
    const file = await create();
    await put(file.url);
    const body = notification(encodeURIComponent(file.key));
    expect(await Promise.all([post(body), post(body), post(body)])).toStrictEqual([204, 204, 204]);
    const { status, size_bytes: size, content_type: type } = await file.read();
    expect([status, size, type]).toStrictEqual(['uploaded', PDF.length, 'application/pdf']);
    expect(await kiln.eventsOf(file.id)).toStrictEqual(arrivedEvents);
    const pending = await kiln.sql('select 1 from pending_uploads where file_id = $1', [file.fileId]);
    expect(pending).toHaveLength(0);
  });

  it('can be announced by the object store only; malformed notifications are refused', async () => {
    const file = await create();
    await put(file.url);
    expect(await post(notification(file.key), 'another-token-than-that')).toBe(401);
    for (const garbage of ['', '{', 'null', '{"Records":7}', '{"Records":[{}]}']) expect(await post(garbage)).toBe(400);
    expect((await file.read()).status).toBe('uploading');
  });

  it('is recognized among unrelated keys', async () => {
    const file = await create();
    await put(file.url);
    const unknown = [
      '%',
      'readme.txt',
      '-'.repeat(36) + '/' + '-'.repeat(36) + '/source',
      sourceKey(uuidv7(), uuidv7()),
    ];
    expect(await post(notification(...unknown, file.key))).toBe(204);
    expect((await file.read()).status).toBe('uploaded');
  });

  it('stays uploading when it is announced before its bytes exist', async () => {
    const file = await create();
    expect(await post(notification(file.key))).toBe(204);
    expect((await file.read()).status).toBe('uploading');
  });

  it('is found by a check when no notification arrives', async () => {
    const file = await create();
    await put(file.url);
    await kiln.sql(`update pending_uploads set due_at = now() - interval '1 minute' where file_id = $1`, [file.fileId]);
    worker.start();
    await eventually(async () => expect((await file.read()).status).toBe('uploaded'));
    expect(await kiln.eventsOf(file.id)).toStrictEqual(arrivedEvents);
  });

  it('that is replaced after it has arrived keeps its recorded version: nothing reads or processes the other bytes', async () => {
    const file = await create();
    await put(file.url);
    await kiln.receiveUpload.execute(context.tenantId, file.fileId);
    const { job_id } = await file.read();
    const begin = async (job: string | null) =>
      (await kiln.runCalls.begin({ file_id: file.id, job_id: job ?? '', fence: 1 }, context)).source_etag;
    const arrived = (await kiln.objects.head(file.key))?.etag;
    expect(await begin(job_id)).toBe(arrived);
    const recorded = await file.read();
    await fetch(file.url, { method: 'PUT', body: Buffer.alloc(UPLOAD_BYTES_MAX + 1, 'x') });
    const again = { file_id: file.id, job_id: encodeId('job', uuidv7()) };
    const { jobs, errors } = await kiln.processFiles.execute(
      { files: [again], batch_id: null, processing: {} },
      context,
    );
    const refused = { code: 'CONFLICT', message: expect.stringMatching(/replaced after they had arrived/) };
    expect([jobs, errors]).toStrictEqual([[], [{ file_id: file.id, ...refused }]]);
    await expect(kiln.downloadFile.execute({ id: file.id }, context)).rejects.toMatchObject(refused);
    await kiln.fileJobs.markFailed(kiln.database, {
      tenantId: context.tenantId,
      fileId: file.fileId,
      jobId: uuidOf('job', job_id ?? ''),
      fence: 1,
    });
    const retried = new PrepareRetry(kiln.files, kiln.receiveUpload, kiln.sources);
    await expect(retried.execute({ file_id: file.id, job_id: job_id ?? '' }, context)).rejects.toMatchObject(refused);
    const { status: _status, updated_at: _updatedAt, ...kept } = recorded;
    expect(await file.read()).toMatchObject(kept);
    // They are over the limit, so they do not stay.
    expect(await post(notification(file.key))).toBe(204);
    await kiln.removeObjects.round();
    expect(await kiln.objects.head(file.key)).toBeNull();
    // The same bytes arrive once more.
    await put(file.url);
    expect((await fetch((await kiln.downloadFile.execute({ id: file.id }, context)).url)).status).toBe(200);
  });

  it('with a declared size is accepted in this size only', async () => {
    const input = directUpload();
    const sized = { ...input, size_bytes: PDF.length };
    const { upload_url: url } = await kiln.registerFiles.upload(sized, context);
    expect((await fetch(url, { method: 'PUT', body: `${PDF} ` })).status).toBe(403);
    expect(await kiln.objects.head(sourceKey(context.tenantId, uuidOf('file', input.file_id)))).toBeNull();
    await put(url);
  });

  it('announced in a body that is too large gets a 413 after the body is read', async () => {
    const file = await create();
    await put(file.url);
    const body = JSON.stringify({ Records: [], padding: 'x'.repeat(3_000_000) });
    expect(await post(body)).toBe(413);
    expect((await file.read()).status).toBe('uploading');
  });

  it('costs a bounded rate of look-ups while it does not arrive, however many uploads and processes there are', async () => {
    const tenantId = uuidv7();
    await kiln.sql(
      `with made as (
         insert into files (tenant_id, id, space_id, status, filename)
         select $1, gen_random_uuid(), $2, 'uploading', n::text from generate_series(1, 10000) n returning id)
       insert into pending_uploads (tenant_id, file_id, expires_at, due_at)
       select $1, id, now() + interval '1 h', now() from made`,
      [tenantId, await kiln.spaceId(tenantId, 'default')],
    );
    const looked: string[] = [];
    let [atOnce, most] = [0, 0];
    const objects = {
      head: async (key: string) => {
        looked.push(key);
        most = Math.max(most, ++atOnce);
        const head = await kiln.objects.head(key);
        atOnce--;
        return head;
      },
      list: () => Promise.reject(new Error('no two ids have the same prefix')),
    };
    const { pendingUploads, receiveUpload } = kiln;
    const replicas = [0, 1].map(() => new PendingUploadsWorker(pendingUploads, receiveUpload, objects, silentLogger));
    const startedAt = performance.now();
    for (const replica of replicas) replica.start();
    await eventually(() => expect(looked.length).toBeGreaterThanOrEqual(160));
    await Promise.all(replicas.map((replica) => replica.stop()));
    const seconds = (performance.now() - startedAt) / 1_000;
    await kiln.sql('delete from files where tenant_id = $1', [tenantId]);
    expect(looked.length).toBeLessThanOrEqual(2 * 40 * Math.ceil(seconds));
    // No process checks an upload that another has just checked.
    expect(new Set(looked).size).toBe(looked.length);
    expect(most).toBeLessThanOrEqual(80);
  });

  it('fails when its URL expires, with one event, and stays failed', async () => {
    const file = await create();
    await kiln.sql(
      `update pending_uploads set due_at = now() - interval '1 minute', expires_at = now() - interval '1 minute' where file_id = $1`,
      [file.fileId],
    );
    await eventually(async () => expect((await file.read()).status).toBe('failed'));
    await kiln.receiveUpload.expire(context.tenantId, file.fileId);
    await put(file.url);
    expect(await post(notification(file.key))).toBe(204);
    const { status, size_bytes: size } = await file.read();
    expect([status, size]).toStrictEqual(['failed', null]);
    expect(await kiln.eventsOf(file.id)).toStrictEqual([
      'file.created',
      'file.processing.requested',
      'file.upload.failed',
    ]);
  });

  it('over the size limit fails with its job, and its bytes are removed, including bytes sent later', async () => {
    const file = await create();
    const large = Buffer.alloc(UPLOAD_BYTES_MAX + 1, 'x');
    const putLarge = async () => expect((await fetch(file.url, { method: 'PUT', body: large })).status).toBe(200);
    const { tenantId } = context;
    await putLarge();
    expect(await post(notification(file.key))).toBe(204);
    expect((await file.read()).status).toBe('failed');
    expect(await kiln.eventsOf(file.id)).toStrictEqual([
      'file.created',
      'file.processing.requested',
      'file.upload.failed',
    ]);
    const [failed] = await kiln.sql<{ code: string }>(
      `select envelope::jsonb #>> '{data,error,code}' as code from outbox
       where type = 'file.upload.failed' and envelope::jsonb #>> '{data,file_id}' = $1`,
      [file.id],
    );
    expect(failed?.code).toBe('file_too_large');
    await kiln.removeObjects.round();
    expect(await kiln.objects.head(file.key)).toBeNull();
    await putLarge();
    const { job_id } = await file.read();
    const retried = new PrepareRetry(kiln.files, kiln.receiveUpload, kiln.sources);
    await expect(retried.execute({ file_id: file.id, job_id: job_id ?? '' }, context)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/larger than/),
    });
    const again = { file_id: file.id, job_id: encodeId('job', uuidv7()) };
    const { jobs, errors } = await kiln.processFiles.execute(
      { files: [again], batch_id: null, processing: {} },
      context,
    );
    expect([jobs, errors.map(({ code }) => code)]).toStrictEqual([[], ['CONFLICT']]);
    await kiln.sql(
      `update object_removals set due_at = now() - interval '1 minute' where tenant_id = $1 and file_id = $2`,
      [tenantId, file.fileId],
    );
    await kiln.removeObjects.round();
    expect(await kiln.objects.head(file.key)).toBeNull();
  });

  it('that was refused for its size can be uploaded again in a smaller size', async () => {
    const file = await create();
    await fetch(file.url, { method: 'PUT', body: Buffer.alloc(UPLOAD_BYTES_MAX + 1, 'x') });
    await kiln.receiveUpload.execute(context.tenantId, file.fileId);
    await put(file.url);
    await kiln.removeObjects.round();
    const again = { file_id: file.id, job_id: encodeId('job', uuidv7()) };
    const { jobs } = await kiln.processFiles.execute({ files: [again], batch_id: null, processing: {} }, context);
    expect(jobs).toHaveLength(1);
    expect((await kiln.objects.head(file.key))?.sizeBytes).toBe(PDF.length);
  });

  it('whose bytes arrive after it has expired can be processed, as the type of these bytes', async () => {
    const file = await create();
    await kiln.receiveUpload.expire(context.tenantId, file.fileId);
    await put(file.url);
    const again = { file_id: file.id, job_id: encodeId('job', uuidv7()) };
    const { jobs } = await kiln.processFiles.execute({ files: [again], batch_id: null, processing: {} }, context);
    const arrived = { content_type: 'application/pdf', size_bytes: PDF.length };
    expect(jobs).toMatchObject([{ job_id: again.job_id, ...arrived }]);
    expect(await file.read()).toMatchObject({ status: 'processing', ...arrived });
  });

  it('either arrives or expires when both happen at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const file = await create();
      await put(file.url);
      const { tenantId } = context;
      await Promise.all([
        kiln.receiveUpload.execute(tenantId, file.fileId),
        kiln.receiveUpload.expire(tenantId, file.fileId),
      ]);
      const last = (await file.read()).status === 'uploaded' ? 'file.processing.requested' : 'file.upload.failed';
      expect(await kiln.eventsOf(file.id)).toStrictEqual(['file.created', 'file.processing.requested', last]);
    }
  });
});

// Real: Postgres, the object store, HTTP, the pending-uploads worker. Faked: the passing of time, by moving when an upload
// is due or expires in its row.
import { encodeId, sourceKey, uuidOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import {
  contextOf,
  directUpload,
  silentLogger,
  startFiles,
  UPLOAD_BYTES_MAX,
  type FilesHarness,
} from '../test/files-harness.js';
import { storageEventsRoute } from '../transport/storage-events.route.js';
import { PrepareRetry } from './prepare-retry.usecase.js';
import { PendingUploadsWorker } from '../workers/pending-uploads.worker.js';

const TOKEN = 'a-token-of-the-store';
/** Rows are made due here by hand, which wakes no worker. */
const POLL_MS = 200;
const PDF = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\n';

describe('a direct upload', () => {
  let kiln: FilesHarness;
  let server: Server;
  let worker: PendingUploadsWorker;
  const context = contextOf(uuidv7());
  before(async () => {
    kiln = await startFiles();
    const route = storageEventsRoute(TOKEN, kiln.receiveUpload, silentLogger);
    server = createServer((request, response) => void route(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { pendingUploads, receiveUpload } = kiln;
    worker = new PendingUploadsWorker({ pendingUploads, receiveUpload, logger: silentLogger, pollMs: POLL_MS });
  });
  after(async () => {
    await worker.stop();
    server.close();
    await kiln.close();
  });

  async function create() {
    const input = directUpload({ filename: 'report.bin', content_type: 'text/plain' });
    const { upload_url: url } = await kiln.createUpload.execute(input, context);
    const key = sourceKey(context.tenantId, uuidOf('file', input.file_id));
    const fileId = uuidOf('file', input.file_id);
    return { id: input.file_id, fileId, url, key, read: () => kiln.readFiles.get({ id: input.file_id }, context) };
  }
  const put = async (url: string) => assert.equal((await fetch(url, { method: 'PUT', body: PDF })).status, 200);
  const post = async (body: string, token = TOKEN) => {
    const { port } = server.address() as AddressInfo;
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`http://127.0.0.1:${port}/storage-events`, { method: 'POST', body, headers })).status;
  };
  const notification = (...keys: string[]) =>
    JSON.stringify({ Records: keys.map((key) => ({ eventName: 's3:ObjectCreated:Put', s3: { object: { key } } })) });
  const arrivedEvents = ['file.created', 'file.processing.requested', 'file.processing.requested'];

  it('that is announced is there with its real size and type, once, however often it is announced', async () => {
    const file = await create();
    await put(file.url);
    const body = notification(encodeURIComponent(file.key));
    assert.deepEqual(await Promise.all([post(body), post(body), post(body)]), [204, 204, 204]);
    const { status, size_bytes: size, content_type: type } = await file.read();
    assert.deepEqual([status, size, type], ['uploaded', PDF.length, 'application/pdf']);
    assert.deepEqual(await kiln.eventsOf(file.id), arrivedEvents);
    const pending = await kiln.sql('select 1 from pending_uploads where file_id = $1', [file.fileId]);
    assert.equal(pending.length, 0);
  });

  it('is announced by the store alone: others are refused, and so is what is no notification', async () => {
    const file = await create();
    await put(file.url);
    assert.equal(await post(notification(file.key), 'another-token-than-that'), 401);
    for (const garbage of ['', '{', 'null', '{"Records":7}', '{"Records":[{}]}'])
      assert.equal(await post(garbage), 400);
    assert.equal((await file.read()).status, 'uploading');
  });

  it('is noticed among keys that mean nothing here', async () => {
    const file = await create();
    await put(file.url);
    const unknown = [
      '%',
      'readme.txt',
      '-'.repeat(36) + '/' + '-'.repeat(36) + '/source',
      sourceKey(uuidv7(), uuidv7()),
    ];
    assert.equal(await post(notification(...unknown, file.key)), 204);
    assert.equal((await file.read()).status, 'uploaded');
  });

  it('announced before it is there stays awaited', async () => {
    const file = await create();
    assert.equal(await post(notification(file.key)), 204);
    assert.equal((await file.read()).status, 'uploading');
  });

  it('that nobody announces is found by looking', async () => {
    const file = await create();
    await put(file.url);
    await kiln.sql('update pending_uploads set next_check_at = now() where file_id = $1', [file.fileId]);
    worker.start();
    await eventually(async () => assert.equal((await file.read()).status, 'uploaded'));
    assert.deepEqual(await kiln.eventsOf(file.id), arrivedEvents);
  });

  it('names the bytes that arrived to its runs, and others only once it is processed again', async () => {
    const file = await create();
    await put(file.url);
    await kiln.receiveUpload.execute(context.tenantId, file.fileId);
    const { job_id } = await file.read();
    const begin = async (job: string | null) =>
      (await kiln.processFile.begin({ file_id: file.id, job_id: job ?? '', fence: 1 }, context)).source_etag;
    const arrived = (await kiln.objects.head(file.key))?.etag;
    assert.equal(await begin(job_id), arrived);
    await fetch(file.url, { method: 'PUT', body: 'other bytes' });
    assert.equal(await begin(job_id), arrived);
    const again = { file_id: file.id, job_id: encodeId('job', uuidv7()) };
    await kiln.processFiles.execute({ files: [again], batch_id: null, processing: {} }, context);
    assert.equal(await begin(again.job_id), (await kiln.objects.head(file.key))?.etag);
    assert.notEqual(await begin(again.job_id), arrived);
  });

  it('announced in a body that is too long is answered with 413, and not cut off', async () => {
    const file = await create();
    await put(file.url);
    const body = JSON.stringify({ Records: [], padding: 'x'.repeat(3_000_000) });
    assert.equal(await post(body), 413);
    assert.equal((await file.read()).status, 'uploading');
  });

  it('costs a trickle of look-ups while it does not come, however many there are and whoever looks', async () => {
    const tenantId = uuidv7();
    await kiln.sql(
      `with made as (
         insert into files (tenant_id, id, space, status, filename)
         select $1, gen_random_uuid(), 'default', 'uploading', n::text from generate_series(1, 10000) n returning id)
       insert into pending_uploads (tenant_id, file_id, expires_at, next_check_at)
       select $1, id, now() + interval '1 h', now() from made`,
      [tenantId],
    );
    const looked: string[] = [];
    let [atOnce, most] = [0, 0];
    const receive = {
      execute: async (_tenant: string, fileId: string) => {
        looked.push(fileId);
        most = Math.max(most, ++atOnce);
        await kiln.objects.head(sourceKey(tenantId, fileId));
        atOnce--;
        return false;
      },
      expire: () => Promise.resolve(),
    };
    const { pendingUploads } = kiln;
    const parts = { pendingUploads, receiveUpload: receive, logger: silentLogger };
    const replicas = [0, 1].map(() => new PendingUploadsWorker(parts));
    const startedAt = performance.now();
    for (const replica of replicas) replica.start();
    await eventually(() => assert.ok(looked.length >= 160, `${looked.length} look-ups`), { timeoutMs: 20_000 });
    await Promise.all(replicas.map((replica) => replica.stop()));
    const seconds = (performance.now() - startedAt) / 1_000;
    await kiln.sql('delete from file_rows where tenant_id = $1', [tenantId]);
    assert.ok(looked.length <= 2 * 40 * Math.ceil(seconds), `${looked.length} look-ups in ${seconds} s`);
    assert.equal(new Set(looked).size, looked.length, 'nobody looks for what another has just looked for');
    assert.ok(most <= 80, `${most} at once`);
  });

  it('that never comes fails once its URL has run out, says so once, and stays failed', async () => {
    const file = await create();
    await kiln.sql('update pending_uploads set next_check_at = now(), expires_at = now() where file_id = $1', [
      file.fileId,
    ]);
    await eventually(async () => assert.equal((await file.read()).status, 'failed'));
    await kiln.receiveUpload.expire(context.tenantId, file.fileId);
    await put(file.url);
    assert.equal(await post(notification(file.key)), 204);
    const { status, size_bytes: size } = await file.read();
    assert.deepEqual([status, size], ['failed', null]);
    assert.deepEqual(await kiln.eventsOf(file.id), ['file.created', 'file.processing.requested', 'file.upload.failed']);
  });

  it('larger than a file may be fails with its job, and its bytes are removed, as are those sent after them', async () => {
    const file = await create();
    const large = Buffer.alloc(UPLOAD_BYTES_MAX + 1, 'x');
    const putLarge = async () => assert.equal((await fetch(file.url, { method: 'PUT', body: large })).status, 200);
    const { tenantId } = context;
    await putLarge();
    assert.equal(await post(notification(file.key)), 204);
    assert.equal((await file.read()).status, 'failed');
    assert.deepEqual(await kiln.eventsOf(file.id), ['file.created', 'file.processing.requested', 'file.upload.failed']);
    const [failed] = await kiln.sql<{ code: string }>(
      `select envelope::jsonb #>> '{data,error,code}' as code from outbox
       where type = 'file.upload.failed' and envelope::jsonb #>> '{data,file_id}' = $1`,
      [file.id],
    );
    assert.equal(failed?.code, 'file_too_large');
    await kiln.removeObjects.round();
    assert.equal(await kiln.objects.head(file.key), null);
    await putLarge();
    const { job_id } = await file.read();
    const retried = new PrepareRetry(kiln.files, kiln.receiveUpload, kiln.sources);
    await assert.rejects(retried.execute({ file_id: file.id, job_id: job_id ?? '' }, context), {
      code: 'CONFLICT',
      message: /larger than/,
    });
    const again = { file_id: file.id, job_id: encodeId('job', uuidv7()) };
    const { jobs, errors } = await kiln.processFiles.execute(
      { files: [again], batch_id: null, processing: {} },
      context,
    );
    assert.deepEqual([jobs, errors.map(({ code }) => code)], [[], ['CONFLICT']]);
    await kiln.sql('update object_removals set next_attempt_at = now() where tenant_id = $1 and file_id = $2', [
      tenantId,
      file.fileId,
    ]);
    await kiln.removeObjects.round();
    assert.equal(await kiln.objects.head(file.key), null);
  });

  it('that was refused for its size may be sent again in another, which is kept', async () => {
    const file = await create();
    await fetch(file.url, { method: 'PUT', body: Buffer.alloc(UPLOAD_BYTES_MAX + 1, 'x') });
    await kiln.receiveUpload.execute(context.tenantId, file.fileId);
    await put(file.url);
    await kiln.removeObjects.round();
    const again = { file_id: file.id, job_id: encodeId('job', uuidv7()) };
    const { jobs } = await kiln.processFiles.execute({ files: [again], batch_id: null, processing: {} }, context);
    assert.equal(jobs.length, 1);
    assert.equal((await kiln.objects.head(file.key))?.sizeBytes, PDF.length);
  });

  it('that comes while it expires either arrives or expires, never both', async () => {
    for (let round = 0; round < 10; round++) {
      const file = await create();
      await put(file.url);
      const { tenantId } = context;
      await Promise.all([
        kiln.receiveUpload.execute(tenantId, file.fileId),
        kiln.receiveUpload.expire(tenantId, file.fileId),
      ]);
      const last = (await file.read()).status === 'uploaded' ? 'file.processing.requested' : 'file.upload.failed';
      assert.deepEqual(await kiln.eventsOf(file.id), ['file.created', 'file.processing.requested', last]);
    }
  });
});

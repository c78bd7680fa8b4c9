// Real: Postgres, the object store, HTTP, the worker of last checks. Faked: the passing of time, by changing when a row is due.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceKey, uuidOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import {
  contextOf,
  directUpload,
  silentLogger,
  startFiles,
  UPLOAD_BYTES_MAX,
  type FilesHarness,
} from '../test/files-harness.js';
import { EndedUploadsWorker } from './ended-uploads.worker.js';
import { ReceiveUpload } from './receive-upload.usecase.js';

const POLL_MS = 200;
const TOO_LARGE = Buffer.alloc(UPLOAD_BYTES_MAX + 1, 'x');

describe('a PUT to a signed URL that has been used, without a notification', () => {
  let kiln: FilesHarness;
  let worker: EndedUploadsWorker;
  const context = contextOf(uuidv7());
  const { tenantId } = context;
  beforeAll(async () => {
    kiln = await startFiles();
    worker = new EndedUploadsWorker(kiln.endedUploads, kiln.receiveUpload, kiln.abortParts, silentLogger, POLL_MS);
    worker.start();
  });
  afterEach(() => kiln.sql('delete from files'));
  afterAll(async () => {
    await worker.stop();
    await kiln.close();
  });

  async function create() {
    const input = directUpload();
    const { upload_url: url } = await kiln.registerFiles.upload(input, context);
    const fileId = uuidOf('file', input.file_id);
    const put = async (body: Buffer | string) => expect((await fetch(url, { method: 'PUT', body })).status).toBe(200);
    const status = async () => (await kiln.readFiles.get({ id: input.file_id }, context)).status;
    return { fileId, put, status, size: async () => (await kiln.objects.head(sourceKey(tenantId, fileId)))?.sizeBytes };
  }
  const arrive = (fileId: string) => kiln.receiveUpload.execute(tenantId, fileId);
  const makeDue = (fileId: string) => kiln.sql('update ended_uploads set due_at = now() where file_id = $1', [fileId]);
  const isWaiting = async (fileId: string) =>
    (await kiln.sql('select from ended_uploads where file_id = $1', [fileId])).length > 0;
  const isChecked = (fileId: string) => eventually(async () => expect(await isWaiting(fileId)).toBe(false));

  it('does not leave bytes over the limit when the URL has expired', async () => {
    const file = await create();
    await file.put('# Hello');
    await arrive(file.fileId);
    await file.put(TOO_LARGE);
    await makeDue(file.fileId);
    await isChecked(file.fileId);
    await kiln.removeObjects.round();
    expect(await file.size()).toBeUndefined();
  });

  it('does not leave them when it has ended after the upload had expired', async () => {
    const file = await create();
    await kiln.receiveUpload.expire(tenantId, file.fileId);
    await file.put(TOO_LARGE);
    await makeDue(file.fileId);
    await isChecked(file.fileId);
    await kiln.removeObjects.round();
    expect(await file.size()).toBeUndefined();
  });

  it('is looked for once, when no PUT can end any more, and delays no pending upload', async () => {
    const file = await create();
    await file.put('# Hello');
    const [pending] = await kiln.sql<{ expires_at: Date }>('select expires_at from pending_uploads');
    await arrive(file.fileId);
    expect(await kiln.sql('select from pending_uploads')).toStrictEqual([]);
    const rows = await kiln.sql<{ late: boolean }>(
      `select due_at = $1::timestamptz + interval '15 min' as late from ended_uploads where file_id = $2`,
      [pending?.expires_at, file.fileId],
    );
    expect(rows).toStrictEqual([{ late: true }]);
    expect(await kiln.endedUploads.claimDue(100, 60)).toStrictEqual([]);
    await makeDue(file.fileId);
    await isChecked(file.fileId);
    expect(await file.status()).toBe('uploaded');
    expect(await kiln.sql('select from object_removals')).toStrictEqual([]);
  });

  it('is looked for again while another removal of the file is queued', async () => {
    const file = await create();
    await file.put('# Hello');
    await arrive(file.fileId);
    await file.put(TOO_LARGE);
    await kiln.removals.addSuperseded(kiln.database, tenantId, [file.fileId]);
    await makeDue(file.fileId);
    // The check has moved by its lease.
    await eventually(async () =>
      expect(
        await kiln.sql("select from ended_uploads where due_at between now() and now() + interval '60 s'"),
      ).toHaveLength(1),
    );
    await kiln.sql('delete from object_removals where file_id = $1', [file.fileId]);
    await makeDue(file.fileId);
    await isChecked(file.fileId);
    await kiln.removeObjects.round();
    expect(await file.size()).toBeUndefined();
  });

  it('may be over a limit that was lowered after its bytes had been accepted', async () => {
    const file = await create();
    await file.put('# Hello');
    await arrive(file.fileId);
    const { database, files, arrivals, objects, receiveReplacement } = kiln;
    const wakeUp = () => undefined;
    const lowered = new ReceiveUpload(database, files, arrivals, objects, 1, { wakeUp }, receiveReplacement);
    expect(await lowered.checkEnded(tenantId, file.fileId)).toBe(true);
    expect(await kiln.sql('select from object_removals')).toStrictEqual([]);
    expect(await file.size()).toBe(7);
  });
});

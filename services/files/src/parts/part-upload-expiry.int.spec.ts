// Real: Postgres, the object store, the workers. Faked: the passing of time, by changing rows.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceKey, uuidOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { FindOrphans, ORPHAN_SEARCH } from '../orphans/find-orphans.usecase.js';
import { contextOf, silentLogger, startFiles, type FilesHarness } from '../test/files-harness.js';
import { PART_BYTES, partCalls, partUpload, putPart } from '../test/part-calls.js';
import { EndedUploadsWorker } from '../uploads/ended-uploads.worker.js';
import { PendingUploadsWorker } from '../uploads/pending-uploads.worker.js';

const POLL_MS = 200;

describe('an upload in parts that is not completed', () => {
  let kiln: FilesHarness;
  let calls: ReturnType<typeof partCalls>;
  const context = contextOf(uuidv7());
  const { tenantId } = context;
  beforeAll(async () => {
    kiln = await startFiles({ bucket: `parts-${uuidv7()}` });
    calls = partCalls(kiln);
  });
  afterAll(() => kiln.close());

  async function begin() {
    const { id } = await calls.begin.execute(partUpload(PART_BYTES + 1), context);
    const { parts } = await calls.sign.execute({ id, part_numbers: [1] }, context);
    for (const part of parts) expect(await putPart(part, Buffer.alloc(PART_BYTES))).toBe(200);
    const fileId = uuidOf('file', id);
    const storeUploadId = (await kiln.partUploads.find(tenantId, fileId))?.store_upload_id ?? '';
    return { id, fileId, isAtStore: () => isAtStore(sourceKey(tenantId, fileId), storeUploadId) };
  }
  const isAtStore = (key: string, storeUploadId: string) =>
    kiln.objects.listParts(key, storeUploadId).then(
      () => true,
      () => false,
    );

  it('fails when its time is over, and its parts are removed when no URL accepts any more', async () => {
    const { id, fileId, isAtStore: isKept } = await begin();
    for (const table of ['pending_uploads', 'part_uploads'])
      await kiln.sql(`update ${table} set expires_at = now() - interval '1 second' where file_id = $1`, [fileId]);
    await kiln.sql('update pending_uploads set due_at = now() where file_id = $1', [fileId]);
    await expect(calls.sign.execute({ id, part_numbers: [2] }, context)).rejects.toMatchObject({ code: 'CONFLICT' });
    const pending = new PendingUploadsWorker(
      kiln.pendingUploads,
      kiln.receiveUpload,
      kiln.objects,
      silentLogger,
      POLL_MS,
    );
    pending.start();
    await eventually(async () => expect((await kiln.files.find(tenantId, fileId))?.status).toBe('failed'));
    await pending.stop();
    expect((await kiln.eventsOf(id)).at(-1)).toBe('file.upload.failed');
    await expect(calls.complete.execute({ id }, context)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await isKept()).toBe(true);
    await kiln.sql('update ended_uploads set due_at = now() where file_id = $1', [fileId]);
    const ended = new EndedUploadsWorker(kiln.endedUploads, kiln.receiveUpload, kiln.abortParts, silentLogger, POLL_MS);
    ended.start();
    await eventually(async () => expect(await kiln.partUploads.find(tenantId, fileId)).toBeNull());
    await ended.stop();
    expect(await isKept()).toBe(false);
  });

  it('keeps its parts for its time, however long ago it began; one without a row loses them', async () => {
    const [known, unknown] = [await begin(), await begin()];
    await kiln.sql('delete from part_uploads where file_id = $1', [unknown.fileId]);
    const { orphanSearch: search, ownBucket: bucket, removals, partUploads, objects } = kiln;
    expect(await bucket.obstacle()).toBeNull();
    const orphans = new FindOrphans(
      {
        search,
        bucket,
        removals,
        partUploads,
        objects,
        onFound: () => undefined,
        onObstacle: () => undefined,
        isStopping: () => false,
      },
      { ...ORPHAN_SEARCH, graceSeconds: 0, pauseSeconds: 0 },
    );
    expect(await orphans.round()).toBe(true);
    expect([await known.isAtStore(), await unknown.isAtStore()]).toStrictEqual([true, false]);
  });
});

// Real: Postgres, without autovacuum, whose reads would be counted, and the object store. Faked: the passing of time, by changing when uploads are due.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sourceKey, uuidOf } from '@kiln/contracts';
import { blocksRead, eventually, withoutAutovacuum } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, directUpload, silentLogger, startFiles, type FilesHarness } from '../test/files-harness.js';
import { findArrivals } from './find-arrivals.service.js';
import { PendingUploadsWorker } from './pending-uploads.worker.js';

const UPLOADS = 10_000;
const ARRIVED = 100;
/** The number of pages of one table or index. The uploads fill more than 100 of each. */
const BLOCKS_PER_UPLOAD_MAX = 15;

describe('uploads that have not been announced', () => {
  let kiln: FilesHarness;
  beforeAll(async () => {
    kiln = await startFiles();
    await withoutAutovacuum(kiln.database);
  });
  afterEach(() => kiln.sql('delete from files'));
  afterAll(() => kiln.close());

  /** An upload that never arrives and has been due for an hour. No two ids begin with the same digits. */
  const addMany = async (tenantId: string, count: number) =>
    kiln.sql(
      `with made as (
         insert into files (tenant_id, id, space_id, status, filename)
         select $1, (to_hex(n * 65536 + 268435456) || '-0000-7000-8000-000000000000')::uuid, $2, 'uploading', n::text
         from generate_series(1, $3::int) n returning id)
       insert into pending_uploads (tenant_id, file_id, expires_at, due_at)
       select $1, id, now() + interval '1 h', now() - interval '1 h' from made`,
      [tenantId, await kiln.spaceId(tenantId, 'default'), count],
    );
  /** The upload is due now. */
  async function create(tenantId: string): Promise<string> {
    const input = directUpload();
    await kiln.registerFiles.upload(input, contextOf(tenantId));
    const fileId = uuidOf('file', input.file_id);
    await kiln.sql(`update pending_uploads set due_at = now() - interval '1 minute' where file_id = $1`, [fileId]);
    return fileId;
  }

  it('are checked in the next round, however many of another tenant have been due for longer', async () => {
    const [hostile, other] = [uuidv7(), uuidv7()];
    await addMany(hostile, UPLOADS);
    const fileId = await create(other);
    const blocks = await blocksRead(kiln.database, async () => {
      const groups = await kiln.pendingUploads.claimDue(40);
      expect(groups.filter(({ tenantId }) => tenantId === other).flatMap(({ uploads }) => uploads)).toStrictEqual([
        { fileId, expired: false },
      ]);
      expect(groups.filter(({ tenantId }) => tenantId === hostile)).toHaveLength(39);
    });
    // A claim reads at most 200 uploads of a tenant, and writes 40 groups of them.
    const tooMany = [...blocks].filter(([, read]) => read > 240 * BLOCKS_PER_UPLOAD_MAX);
    expect(tooMany).toStrictEqual([]);
  });

  it('of one minute are found by one listing, those that arrived and those that are missing', async () => {
    const tenantId = uuidv7();
    const at = Date.now();
    const ids: string[] = [];
    for (let count = 0; count < 100; count++) ids.push(uuidv7({ msecs: at, seq: count }));
    const spaceId = await kiln.spaceId(tenantId, 'default');
    await kiln.sql(
      `with made as (
         insert into files (tenant_id, id, space_id, status, filename)
         select $1, id, $2, 'uploading', 'a.md' from unnest($3::uuid[]) id returning id)
       insert into pending_uploads (tenant_id, file_id, expires_at, due_at)
       select $1, id, now() + interval '1 h', now() from made`,
      [tenantId, spaceId, ids],
    );
    const arrived = ids.filter((_, place) => place % 10 === 3);
    for (const id of arrived)
      await kiln.objects.put(sourceKey(tenantId, id), '# Hello', { contentType: 'text/markdown' });
    const [before] = await kiln.sql<{ claim: string }>('select now()::text as claim');
    const [group, ...others] = await kiln.pendingUploads.claimDue(40);
    if (!group) throw new Error('no group');
    expect(others).toStrictEqual([]);
    const due = 'select file_id from pending_uploads where tenant_id = $1 and due_at <= $2::timestamptz';
    // Nothing that was due before the claim is due any more.
    expect(await kiln.sql(due, [tenantId, before?.claim])).toStrictEqual([]);
    let requests = 0;
    const counted = {
      head: (key: string) => (requests++, kiln.objects.head(key)),
      list: (...args: Parameters<typeof kiln.objects.list>) => (requests++, kiln.objects.list(...args)),
    };
    const found = await findArrivals(counted, group);
    expect(requests).toBe(1);
    expect(found.arrived.map(({ fileId }) => fileId)).toStrictEqual(arrived);
    expect(found.missing).toHaveLength(90);
  });

  it('are recorded a few at a time, and delay those of others by one round, however many of one tenant have arrived', async () => {
    const [busy, other] = [uuidv7(), uuidv7()];
    const at = Date.now();
    const ids = Array.from({ length: ARRIVED }, (_, seq) => uuidv7({ msecs: at, seq }));
    await kiln.sql(
      `with made as (
         insert into files (tenant_id, id, space_id, status, filename)
         select $1, id, $2, 'uploading', 'a.md' from unnest($3::uuid[]) id returning id)
       insert into pending_uploads (tenant_id, file_id, expires_at, due_at)
       select $1, id, now() + interval '1 h', now() from made`,
      [busy, await kiln.spaceId(busy, 'default'), ids],
    );
    for (const id of ids) await kiln.objects.put(sourceKey(busy, id), '# Hello', { contentType: 'text/markdown' });
    const late = await create(other);
    await kiln.objects.put(sourceKey(other, late), '# Hello', { contentType: 'text/markdown' });
    const recorded: string[] = [];
    let [atOnce, most] = [0, 0];
    const receiveUpload = {
      execute: async (tenantId: string, fileId: string) => {
        most = Math.max(most, ++atOnce);
        // The other tenant's upload is due when the first round has begun.
        if (recorded.length === 0)
          await kiln.sql('update pending_uploads set due_at = now() where file_id = $1', [late]);
        const isRecorded = await kiln.receiveUpload.execute(tenantId, fileId);
        recorded.push(fileId);
        atOnce--;
        return isRecorded;
      },
      expire: () => Promise.reject(new Error('none has expired')),
    };
    await kiln.sql(`update pending_uploads set due_at = now() + interval '1 h' where file_id = $1`, [late]);
    const worker = new PendingUploadsWorker(kiln.pendingUploads, receiveUpload, kiln.objects, silentLogger);
    worker.start();
    await eventually(() => expect(new Set(recorded).size).toBe(ARRIVED + 1));
    await worker.stop();
    expect(recorded.indexOf(late)).toBeLessThanOrEqual(2 * 20);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(5);
    expect(await kiln.sql('select from pending_uploads')).toStrictEqual([]);
  });

  it('behind the pages that a check reads are neither arrived nor missing', async () => {
    const uploads = Array.from({ length: 20 }, (_, at) => ({
      fileId: `id-${String(at).padStart(2, '0')}`,
      expired: true,
    }));
    const objects = {
      head: () => Promise.resolve(null),
      // Each page has one id, and there is always one more page.
      list: (_prefix: string, { cursor = '0' }: { cursor?: string } = {}) =>
        Promise.resolve({
          objects: [],
          prefixes: [`t/id-${cursor.padStart(2, '0')}/`],
          nextCursor: String(Number(cursor) + 1),
        }),
    };
    const { arrived, missing } = await findArrivals(objects, { tenantId: 't', prefix: 'id', uploads });
    expect([arrived.length, missing]).toStrictEqual([8, []]);
  });
});

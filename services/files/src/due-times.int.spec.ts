// Real: Postgres, the object store, the five workers that take rows when they are due. Faked: what the connections service answers.
// The safety poll is an hour away, except in the tests about it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidOf } from '@kiln/contracts';
import { Shutdown } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { ConnectionRunsWorker } from './connections/connection-runs.worker.js';
import { ObjectRemovalWorker } from './deletion/object-removal.worker.js';
import { SpaceDeletionWorker } from './deletion/space-deletion.worker.js';
import {
  contextOf,
  directUpload,
  silentLogger,
  startFiles,
  storedFile,
  type FilesHarness,
} from './test/files-harness.js';
import { EndedUploadsWorker } from './uploads/ended-uploads.worker.js';
import { PendingUploadNotifier } from './uploads/pending-upload-notifier.service.js';
import { PendingUploadsWorker } from './uploads/pending-uploads.worker.js';

const HOUR_MS = 3_600_000;
const POLL_MS = 200;
const STOP_MS = 60_000;
const DUE_MS = 1_000;

/** A queue whose rows become due, and are deleted or counted up when they are claimed. */
interface Queue {
  name: string;
  /** Adds a row that is due in `dueMs`, without waking a worker. Returns whether it was claimed. */
  add: (dueMs: number) => Promise<() => Promise<boolean>>;
  start: (pollMs: number) => void;
}

describe('a row of a queue', () => {
  let kiln: FilesHarness;
  let shutdown: Shutdown;
  const uploads = new PendingUploadNotifier();
  let spaces: SpaceDeletionWorker;
  const tenantId = uuidv7();
  const context = contextOf(tenantId);

  beforeAll(async () => {
    kiln = await startFiles({
      connectionsAnswer: () => Promise.resolve({ nodes: [], is_last: true }),
      onUpload: () => uploads.expectUpload(),
    });
  });
  afterEach(() => shutdown.run());
  afterAll(() => kiln.close());

  const isGone = (table: string, column: string, id: string) => async () =>
    (await kiln.sql(`select 1 from ${table} where tenant_id = $1 and ${column} = $2`, [tenantId, id])).length === 0;
  const isLookedAt = (fileId: string) => async () =>
    (await kiln.sql('select 1 from pending_uploads where file_id = $1 and checks > 0', [fileId])).length > 0;
  const newUpload = async () => {
    const input = directUpload();
    await kiln.registerFiles.upload(input, context);
    return uuidOf('file', input.file_id);
  };
  const dueIn = (milliseconds: number) => `now() + interval '${milliseconds} ms'`;

  const startUploads = (pollMs: number) => {
    const { pendingUploads, receiveUpload, objects } = kiln;
    const worker = new PendingUploadsWorker(pendingUploads, receiveUpload, objects, silentLogger, pollMs);
    uploads.connect(worker);
    worker.start();
    shutdown = new Shutdown(silentLogger);
    shutdown.addPhase('uploads', STOP_MS, () => worker.stop());
  };
  const startLastChecks = (pollMs: number) => {
    const worker = new EndedUploadsWorker(kiln.endedUploads, kiln.receiveUpload, kiln.abortParts, silentLogger, pollMs);
    worker.start();
    shutdown = new Shutdown(silentLogger);
    shutdown.addPhase('last checks', STOP_MS, () => worker.stop());
  };
  const startDeletions = (pollMs: number) => {
    const { database, deletions, removals, removeObjects, backlog } = kiln;
    const objects = new ObjectRemovalWorker(removals, removeObjects, silentLogger, pollMs);
    spaces = new SpaceDeletionWorker(database, deletions, backlog, objects, silentLogger, pollMs);
    const workers = [objects, spaces];
    for (const worker of workers) worker.start();
    shutdown = new Shutdown(silentLogger);
    shutdown.addPhase(
      'deletions',
      STOP_MS,
      async () => void (await Promise.all(workers.map((worker) => worker.stop()))),
    );
  };
  const startRuns = (pollMs: number) => {
    const { runs, queuePage, backlog } = kiln;
    const worker = new ConnectionRunsWorker(runs, queuePage, backlog, silentLogger, pollMs);
    worker.start();
    shutdown = new Shutdown(silentLogger);
    shutdown.addPhase('runs', STOP_MS, () => worker.stop());
  };

  const queues: Queue[] = [
    {
      name: 'a pending upload',
      add: async (dueMs) => {
        const fileId = await newUpload();
        await kiln.sql(`update pending_uploads set due_at = ${dueIn(dueMs)} where file_id = $1`, [fileId]);
        return isLookedAt(fileId);
      },
      start: startUploads,
    },
    {
      name: 'the last check of an upload',
      add: async (dueMs) => {
        const fileId = await newUpload();
        await kiln.sql(`insert into ended_uploads (tenant_id, file_id, due_at) values ($1, $2, ${dueIn(dueMs)})`, [
          tenantId,
          fileId,
        ]);
        return isGone('ended_uploads', 'file_id', fileId);
      },
      start: startLastChecks,
    },
    {
      name: 'a removal of objects',
      add: async (dueMs) => {
        const fileId = uuidv7();
        await kiln.sql(
          `insert into object_removals (tenant_id, file_id, reason, due_at) values ($1, $2, 'deleted', ${dueIn(dueMs)})`,
          [tenantId, fileId],
        );
        return isGone('object_removals', 'file_id', fileId);
      },
      start: startDeletions,
    },
    {
      name: 'a deleted space',
      add: async (dueMs) => {
        const space = uuidv7();
        await kiln.sql(
          `insert into deleted_spaces (tenant_id, space_id, name, due_at) values ($1, $2, 'left', ${dueIn(dueMs)})`,
          [tenantId, space],
        );
        return isGone('deleted_spaces', 'space_id', space);
      },
      start: startDeletions,
    },
    {
      name: 'a run over a connection',
      add: async (dueMs) => {
        const run = {
          tenant_id: tenantId,
          batch_id: uuidv7(),
          connection_id: uuidv7(),
          processing: {},
          pages_limit: null,
        };
        await kiln.runs.begin(run, dueMs / 1_000);
        return isGone('connection_runs', 'batch_id', run.batch_id);
      },
      start: startRuns,
    },
  ];

  for (const { name, add, start } of queues) {
    it(`${name}: is claimed when it is due, without a poll in between`, async () => {
      const [row] = await kiln.sql<{ due: string }>(`select (${dueIn(DUE_MS)})::text as due`);
      const isTaken = await add(DUE_MS);
      start(HOUR_MS);
      await eventually(isTaken);
      // The claim came when the row was due, by the clock of the database, which decides.
      expect(await kiln.sql('select clock_timestamp() >= $1::timestamptz as due', [row?.due])).toStrictEqual([
        { due: true },
      ]);
    });

    it(`${name}: is claimed by the next poll when its wake-up was lost`, async () => {
      start(POLL_MS);
      // The first round is over, and has found nothing due.
      await eventually(await add(0));
      await eventually(await add(0));
    });
  }

  it('a new upload wakes the worker for its first check', async () => {
    startUploads(HOUR_MS);
    await kiln.sql('delete from pending_uploads');
    const fileId = await newUpload();
    await eventually(isLookedAt(fileId));
  });

  it('waking the worker of deleted spaces deletes the files, and then their objects, without a poll', async () => {
    startDeletions(HOUR_MS);
    const input = storedFile({ space: 'left' });
    await kiln.registerFiles.stored(input, context);
    await kiln.deleteSpace.execute({ name: 'left', cascade: true }, context);
    spaces.wakeUp();
    const fileId = uuidOf('file', input.file_id);
    await eventually(isGone('files', 'id', fileId));
    const isRemoved = async () =>
      (await kiln.sql('select 1 from object_removals where file_id = $1 and attempts = 1', [fileId])).length > 0;
    await eventually(isRemoved);
  });
});

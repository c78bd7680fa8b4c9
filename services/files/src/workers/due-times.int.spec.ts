// Real: Postgres, the object store, the four workers that take rows when they are due. Faked: what the connections service answers.
// Polls are an hour apart, unless a test is about them.
import { uuidOf } from '@kiln/contracts';
import { Metrics, Shutdown } from '@kiln/platform';
import type { Platform } from '@kiln/platform/nest';
import { eventually } from '@kiln/testing';
import assert from 'node:assert/strict';
import { afterEach, before, after, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import {
  contextOf,
  directUpload,
  silentLogger,
  startFiles,
  UPLOAD_BYTES_MAX,
  storedFile,
  type FilesHarness,
} from '../test/files-harness.js';
import { ConnectionRunsWorker } from './connection-runs.worker.js';
import { startDeletionWorkers } from './deletion-workers.js';
import { PendingUploadsWorker } from './pending-uploads.worker.js';

const HOUR_MS = 3_600_000;
const POLL_MS = 200;
/** What a busy machine may take beyond the due time; a poll would take an hour. */
const LATE_MS = 3_000;
const DUE_MS = 1_000;

/** A row that is due at a time, and that is gone or counted up once it was taken. */
interface Queue {
  name: string;
  /** Adds a row, due in so many milliseconds, of which no worker is told. */
  add: (dueMs: number) => Promise<() => Promise<boolean>>;
  /** Has a worker begin; answers how to wake it. */
  start: (pollMs: number) => void;
}

describe('rows that become due', () => {
  let kiln: FilesHarness;
  let shutdown: Shutdown;
  let uploads: PendingUploadsWorker | undefined;
  let deletions: ReturnType<typeof startDeletionWorkers>;
  const tenantId = uuidv7();
  const context = contextOf(tenantId);

  before(async () => {
    kiln = await startFiles({
      connectionsAnswer: () => Promise.resolve({ nodes: [], is_last: true }),
      onPending: () => uploads?.expect(),
    });
  });
  afterEach(() => shutdown.run());
  after(() => kiln.close());

  const isGone = (table: string, column: string, id: string) => async () =>
    (await kiln.sql(`select 1 from ${table} where tenant_id = $1 and ${column} = $2`, [tenantId, id])).length === 0;
  const isLookedAt = (fileId: string) => async () =>
    (await kiln.sql('select 1 from pending_uploads where file_id = $1 and checks > 0', [fileId])).length > 0;
  const newUpload = async () => {
    const input = directUpload();
    await kiln.createUpload.execute(input, context);
    return uuidOf('file', input.file_id);
  };
  const dueIn = (milliseconds: number) => `now() + interval '${milliseconds} ms'`;

  const startUploads = (pollMs: number) => {
    const { pendingUploads, receiveUpload } = kiln;
    const worker = new PendingUploadsWorker({ pendingUploads, receiveUpload, logger: silentLogger, pollMs });
    uploads = worker;
    worker.start();
    shutdown = new Shutdown(silentLogger);
    shutdown.addPhase('uploads', LATE_MS, () => worker.stop());
  };
  const startDeletions = (pollMs: number) => {
    shutdown = new Shutdown(silentLogger);
    const metrics = new Metrics('files', 'all');
    const platform = { database: kiln.database, metrics, shutdown, logger: silentLogger } as unknown as Platform;
    deletions = startDeletionWorkers(platform, kiln.objects, kiln.deletions, {
      uploadBytesMax: UPLOAD_BYTES_MAX,
      pollMs,
    });
  };
  const startRuns = (pollMs: number) => {
    const { runs, processConnection, deletions: events } = kiln;
    const worker = new ConnectionRunsWorker({ runs, processConnection, events, logger: silentLogger, pollMs });
    worker.start();
    shutdown = new Shutdown(silentLogger);
    shutdown.addPhase('runs', LATE_MS, () => worker.stop());
  };

  const queues: Queue[] = [
    {
      name: 'a pending upload',
      add: async (dueMs) => {
        uploads = undefined;
        const fileId = await newUpload();
        await kiln.sql(`update pending_uploads set next_check_at = ${dueIn(dueMs)} where file_id = $1`, [fileId]);
        return isLookedAt(fileId);
      },
      start: startUploads,
    },
    {
      name: 'a removal of objects',
      add: async (dueMs) => {
        const fileId = uuidv7();
        await kiln.sql(
          `insert into object_removals (tenant_id, file_id, reason, next_attempt_at) values ($1, $2, 'deleted', ${dueIn(dueMs)})`,
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
          `insert into space_deletions (tenant_id, space, cutoff, next_attempt_at) values ($1, $2, now(), ${dueIn(dueMs)})`,
          [tenantId, space],
        );
        return isGone('space_deletions', 'space', space);
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
    it(`${name} is taken at its time, without a poll in between`, async () => {
      const dueAt = performance.now() + DUE_MS;
      const isTaken = await add(DUE_MS);
      start(HOUR_MS);
      await eventually(isTaken, { timeoutMs: DUE_MS + LATE_MS });
      assert.ok(performance.now() >= dueAt, 'taken before its time');
    });

    it(`${name} whose wake-up was lost is taken by the next poll`, async () => {
      start(POLL_MS);
      // The first round is over, and has seen nothing to wait for.
      await eventually(await add(0));
      await eventually(await add(0));
    });
  }

  it('an upload is looked for soon after it was announced, by the worker that slept', async () => {
    startUploads(HOUR_MS);
    await kiln.sql('delete from pending_uploads');
    const fileId = await newUpload();
    await eventually(isLookedAt(fileId));
  });

  it('a deleted space loses its files once its worker is woken, and then their objects, without a poll', async () => {
    startDeletions(HOUR_MS);
    const input = storedFile({ space: 'left' });
    await kiln.createFile.execute(input, context);
    await kiln.deleteSpace.execute({ name: 'left', cascade: true }, context);
    deletions.spaces();
    const fileId = uuidOf('file', input.file_id);
    await eventually(isGone('file_rows', 'id', fileId));
    const isRemoved = async () =>
      (await kiln.sql('select 1 from object_removals where file_id = $1 and attempts = 1', [fileId])).length > 0;
    await eventually(isRemoved);
  });
});

// Real: Postgres, the object store. Faked: the jobs service, by the states that it returns; the passing of time, in the rows.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  encodeId,
  uuidOf,
  type CallContext,
  type Operation,
  type OperationOutput,
  type jobsOperations,
} from '@kiln/contracts';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, silentLogger, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { CheckProcessing } from './check-processing.usecase.js';
import { ProcessingCheckStore } from './processing-check.store.js';

type States = OperationOutput<(typeof jobsOperations)['checkJobs']>['states'];
type Asked = { jobs: { job_id: string; ready: boolean }[] };

describe('a file in status processing', () => {
  let kiln: FilesHarness;
  const states = new Map<string, States[number]>();
  const repaired: string[] = [];
  const asked: string[] = [];
  let onAsked = () => Promise.resolve();
  const context = contextOf(uuidv7());
  beforeAll(async () => {
    kiln = await startFiles();
  });
  beforeEach(() => {
    repaired.length = 0;
    asked.length = 0;
    onAsked = () => Promise.resolve();
  });
  afterAll(() => kiln.close());

  /** All files are old enough, unless the test chooses an age. Returns false when no pass is due. */
  const round = (ageSeconds = -60, pages = 500) =>
    new CheckProcessing(
      {
        checks: new ProcessingCheckStore(kiln.database),
        rpc: {
          call: (async (_operation: Operation, input: Asked, { tenantId }: CallContext) => {
            asked.push(...input.jobs.map(({ job_id }) => `${tenantId} ${job_id}`));
            const found = input.jobs.flatMap(({ job_id }) => states.get(job_id) ?? []);
            await onAsked();
            return { states: found };
          }) as never,
        },
        logger: silentLogger,
        onRepaired: (status) => repaired.push(status),
        isStopping: () => false,
      },
      { pauseSeconds: 300, ageSeconds, pages },
    ).round();

  /** The pass is due at any time: a clock may step back between two statements. */
  async function check(ageSeconds?: number, pages?: number) {
    await kiln.sql(`update processing_checks set due_at = '-infinity'`);
    expect(await round(ageSeconds, pages)).toBe(true);
  }

  /** `state`: what the jobs service knows of its job; its first run has begun. */
  async function processing(status?: States[number]['status'], { jobFence = 1 } = {}) {
    const input = storedFile();
    const { file_id } = input;
    const job_id = input.job_id ?? '';
    await kiln.registerFiles.stored(input, context);
    const run = (at: number) => ({ file_id, job_id, fence: at });
    await kiln.runCalls.begin(run(1), context);
    if (status) states.set(job_id, { job_id, status, fence: jobFence });
    return {
      job_id,
      begin: (at: number) => kiln.runCalls.begin(run(at), context),
      status: async () => (await kiln.readFiles.get({ id: file_id }, context)).status,
      retry: (at: number) =>
        kiln.fileJobs.markRetried(kiln.database, {
          ...context,
          fileId: uuidOf('file', file_id),
          jobId: uuidOf('job', job_id),
          fence: at,
        }),
    };
  }

  it('keeps its status while its job is queued or processing', async () => {
    const files = [await processing('queued'), await processing('processing')];
    await check();
    expect(await Promise.all(files.map((file) => file.status()))).toStrictEqual(['processing', 'processing']);
    expect(repaired).toStrictEqual([]);
  });

  it('becomes uploaded when its job was cancelled, and refuses earlier runs', async () => {
    const file = await processing('cancelled', { jobFence: 2 });
    await check();
    expect(await file.status()).toBe('uploaded');
    await expect(file.begin(1)).rejects.toMatchObject({ code: 'SUPERSEDED' });
    await expect(file.begin(2)).rejects.toMatchObject({ code: 'SUPERSEDED' });
    expect(repaired).toStrictEqual(['uploaded']);
  });

  it('becomes failed when its job has failed or cannot be made', async () => {
    const files = [await processing('failed'), await processing()];
    await check();
    expect(await Promise.all(files.map((file) => file.status()))).toStrictEqual(['failed', 'failed']);
    expect(repaired).toStrictEqual(['failed', 'failed']);
  });

  it('is not changed when its job was retried during the check', async () => {
    const file = await processing('failed');
    onAsked = () => file.retry(2);
    await check();
    expect(await file.status()).toBe('processing');
    states.delete(file.job_id);
    await kiln.sql(`update files set status = 'completed' where job_id = $1`, [uuidOf('job', file.job_id)]);
  });

  it('is checked only after it has been unchanged for a while, and by one process at a time', async () => {
    const file = await processing('failed');
    await check(900);
    expect(await file.status()).toBe('processing');
    expect(await round()).toBe(false);
    expect(await file.status()).toBe('processing');
    await check();
    expect(await file.status()).toBe('failed');
  });

  it('is found among the files of many tenants; each job is looked up once, in the name of its tenant', async () => {
    const expected: string[] = [];
    for (const tenantId of [uuidv7(), uuidv7()]) {
      await kiln.sql(
        `insert into files (tenant_id, id, space_id, status, filename, job_id, job_number)
         select $1, gen_random_uuid(), $2, 'processing', n::text, gen_random_uuid(), 1 from generate_series(1, 450) n`,
        [tenantId, await kiln.spaceId(tenantId, 'default')],
      );
      const rows = await kiln.sql<{ job_id: string }>('select job_id from files where tenant_id = $1', [tenantId]);
      for (const row of rows) {
        const job_id = encodeId('job', row.job_id);
        expected.push(`${tenantId} ${job_id}`);
        states.set(job_id, { job_id, status: 'queued', fence: 0 });
      }
    }
    await check();
    const ofThese = () => asked.filter((one) => expected.includes(one));
    expect(ofThese().toSorted()).toStrictEqual(expected.toSorted());

    // Passes of two pages: each continues behind the last, and after the newest file the next begins anew.
    asked.length = 0;
    for (let pass = 0; pass < 3; pass++) await check(-60, 2);
    expect(ofThese().toSorted()).toStrictEqual(expected.toSorted());
    await check(-60, 2);
    expect(asked.slice(-400)).toStrictEqual(asked.slice(0, 400));
  });
});

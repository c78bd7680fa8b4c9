// Real: Postgres, the object store. Faked: the jobs service, by the states that it answers; the passing of time, in the rows.
import {
  encodeId,
  uuidOf,
  type CallContext,
  type Operation,
  type OperationOutput,
  type jobsOperations,
} from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { ProcessingCheckStore } from '../store/processing-check.store.js';
import { contextOf, silentLogger, startFiles, storedFile, type FilesHarness } from '../test/files-harness.js';
import { CheckProcessing } from './check-processing.usecase.js';

type States = OperationOutput<(typeof jobsOperations)['checkJobs']>['states'];
type Asked = { jobs: { job_id: string; ready: boolean }[] };

describe('a file that is processing', () => {
  let kiln: FilesHarness;
  const states = new Map<string, States[number]>();
  const repaired: string[] = [];
  const asked: string[] = [];
  let onAsked = () => Promise.resolve();
  const context = contextOf(uuidv7());
  before(async () => {
    kiln = await startFiles();
  });
  beforeEach(() => {
    repaired.length = 0;
    asked.length = 0;
    onAsked = () => Promise.resolve();
  });
  after(() => kiln.close());

  /** All files are old enough, unless the test says otherwise. */
  const check = (ageSeconds = -1) =>
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
      { pauseSeconds: 0, ageSeconds },
    ).round();

  /** `state`: what the jobs service knows of its job; its first run has begun. */
  async function processing(status?: States[number]['status'], { jobFence = 1 } = {}) {
    const input = storedFile();
    const { file_id } = input;
    const job_id = input.job_id ?? '';
    await kiln.createFile.execute(input, context);
    const run = (at: number) => ({ file_id, job_id, fence: at });
    await kiln.processFile.begin(run(1), context);
    if (status) states.set(job_id, { job_id, status, fence: jobFence });
    return {
      job_id,
      begin: (at: number) => kiln.processFile.begin(run(at), context),
      status: async () => (await kiln.readFiles.get({ id: file_id }, context)).status,
      retry: (at: number) =>
        kiln.files.takeUpJob(kiln.database, {
          ...context,
          fileId: uuidOf('file', file_id),
          jobId: uuidOf('job', job_id),
          fence: at,
        }),
    };
  }

  it('stays so while its job is queued or runs', async () => {
    const files = [await processing('queued'), await processing('processing')];
    assert.equal(await check(), true);
    assert.deepEqual(await Promise.all(files.map((file) => file.status())), ['processing', 'processing']);
    assert.deepEqual(repaired, []);
  });

  it('is uploaded once its job was cancelled, and lets no earlier run begin again', async () => {
    const file = await processing('cancelled', { jobFence: 2 });
    await check();
    assert.equal(await file.status(), 'uploaded');
    await assert.rejects(file.begin(1), { code: 'SUPERSEDED' });
    await assert.rejects(file.begin(2), { code: 'SUPERSEDED' });
    assert.deepEqual(repaired, ['uploaded']);
  });

  it('is failed once its job has failed, or can not be made', async () => {
    const files = [await processing('failed'), await processing()];
    await check();
    assert.deepEqual(await Promise.all(files.map((file) => file.status())), ['failed', 'failed']);
    assert.deepEqual(repaired, ['failed', 'failed']);
  });

  it('is left alone when its job was retried while it was looked at', async () => {
    const file = await processing('failed');
    onAsked = () => file.retry(2);
    await check();
    assert.equal(await file.status(), 'processing');
    states.delete(file.job_id);
    await kiln.sql(`update files set status = 'completed' where job_id = $1`, [uuidOf('job', file.job_id)]);
  });

  it('is not looked at before it has been unchanged for a while, nor by two processes at a time', async () => {
    const file = await processing('failed');
    await check(900);
    assert.equal(await file.status(), 'processing');
    assert.ok(await new ProcessingCheckStore(kiln.database).claimPass(300));
    assert.equal(await check(), false);
    assert.equal(await file.status(), 'processing');
    await kiln.sql('update processing_checks set next_pass_at = now()');
    await check();
    assert.equal(await file.status(), 'failed');
  });

  it('is found among many of many tenants, each asked about once and in the name of its tenant', async () => {
    const expected: string[] = [];
    for (const tenantId of [uuidv7(), uuidv7()]) {
      await kiln.sql(
        `insert into files (tenant_id, id, space, status, filename, job_id, job_number)
         select $1, gen_random_uuid(), 'default', 'processing', n::text, gen_random_uuid(), 1 from generate_series(1, 450) n`,
        [tenantId],
      );
      const rows = await kiln.sql<{ job_id: string }>('select job_id from files where tenant_id = $1', [tenantId]);
      for (const row of rows) {
        const job_id = encodeId('job', row.job_id);
        expected.push(`${tenantId} ${job_id}`);
        states.set(job_id, { job_id, status: 'queued', fence: 0 });
      }
    }
    await check();
    const ofThese = asked.filter((one) => expected.includes(one));
    assert.deepEqual(ofThese.toSorted(), expected.toSorted());
  });
});

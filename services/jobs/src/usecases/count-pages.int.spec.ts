// Real: Postgres, many connections at a time. FAKED: the passing of time, by moving the ends of leases.
import { CodedError, encodeId, testTenantOf, type CallContext } from '@kiln/contracts';
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { v7 as uuidv7 } from 'uuid';
import { PageReservationStore } from '../store/page-reservation.store.js';
import { UsageStore } from '../store/usage.store.js';
import {
  completedEvent,
  finishedRun,
  leaseOf,
  openDatabase,
  silentLogger,
  startJobs,
  type JobsHarness,
} from '../test/jobs-harness.js';
import { placeJobs } from '../test/place-jobs.js';
import type { Lease } from '../store/lease.store.js';
import { RunUsageStore } from '../store/run-usage.store.js';
import { SettleJob } from '../workers/settle-job.js';
import { CountPages } from './count-pages.usecase.js';

const error = { code: 'internal', message: 'x', retryable: true } as const;

describe('pages of a plan that ends hard', () => {
  let kiln: JobsHarness;
  let usage: UsageStore;
  let pages: CountPages;
  /** What another replica of the service would be. */
  let elsewhere: CountPages;
  let otherDatabase: JobsHarness['database'];
  let tenantId: string;
  before(async () => {
    kiln = await startJobs();
    usage = new UsageStore(kiln.database);
    otherDatabase = openDatabase(kiln.databaseUrl);
    [pages, elsewhere] = [kiln.database, otherDatabase].map(
      (database) => new CountPages(database, new UsageStore(database), new PageReservationStore(database)),
    ) as [CountPages, CountPages];
  });
  beforeEach(async () => {
    tenantId = uuidv7();
    await kiln.clear();
  });
  after(async () => {
    await otherDatabase.close();
    await kiln.close();
  });

  const context = (): CallContext => ({
    requestId: 'test',
    tenantId,
    mode: 'live',
    principal: 'test',
    deadlineAt: Date.now() + 30_000,
  });
  const jobOf = (uuid: string) => encodeId('job', uuid);
  const reserve = async (limit: number, uuids: string[] = [uuidv7()], on = pages) =>
    on.reserve({ jobs: uuids.map((uuid) => ({ id: jobOf(uuid) })), pages_limit: limit }, context()).then(
      ({ reserved }) => reserved.length,
      (refusal: unknown) => {
        assert.ok(refusal instanceof CodedError && refusal.code === 'QUOTA_EXCEEDED', String(refusal));
        return refusal.message;
      },
    );
  const release = (...uuids: string[]) => pages.release({ job_ids: uuids.map(jobOf) }, context());
  /** Pages that can still be reserved below a limit of 10. */
  const room = async () => {
    const probes: string[] = [];
    while (probes.length <= 20) {
      const uuid = uuidv7();
      if (typeof (await reserve(10, [uuid])) === 'string') break;
      probes.push(uuid);
    }
    if (probes.length > 0) await release(...probes);
    return probes.length;
  };
  const endLeases = () => kiln.sql(`update page_reservations set expires_at = now() - interval '1 second'`);
  const use = (count: number) =>
    kiln.sql(
      `insert into usage_entries select $1, date_trunc('month', now() at time zone 'utc'), gen_random_uuid(), 1, $2 * 100`,
      [tenantId, count],
    );
  /** A job with room reserved for it, as an upload makes one. */
  const accepted = async () => {
    const jobId = uuidv7();
    assert.equal(await reserve(10, [jobId]), 1);
    await kiln.database.transaction((transaction) =>
      kiln.jobBatches.upsert(transaction, tenantId, [{ request: request(jobId), provider: null }]),
    );
    return jobId;
  };
  const request = (jobId: string) => ({
    file_id: encodeId('file', uuidv7()),
    job_id: jobOf(jobId),
    batch_id: null,
    space: 'default',
    filename: 'a.md',
    content_type: 'text/markdown',
    ready: true,
    processing: {},
  });

  it('100 that ask at a time, of two replicas, get exactly the 10 pages that are left', async () => {
    await use(90);
    const asked = Array.from({ length: 100 }, (_, at) => reserve(100, [uuidv7()], at % 2 ? pages : elsewhere));
    const answers = await Promise.all(asked);
    assert.equal(answers.filter((answer) => answer === 1).length, 10);
    for (const refusal of answers.filter((answer) => typeof answer === 'string')) {
      assert.match(
        refusal,
        /at least 1 more.*limit of 100 pages.*90 are used and \d+ reserved.*resets on \d{4}-\d\d-01 00:00:00 UTC/,
      );
    }
  });

  it('a text reserves the pages of its size: of six that ask at a time, as many get them as there is room for', async () => {
    const files = Array.from({ length: 6 }, () => ({
      id: jobOf(uuidv7()),
      content_type: 'text/plain; charset=utf-8',
      size_bytes: 999 * 3_000,
    }));
    const ask = (job: (typeof files)[number], on: CountPages) =>
      on.reserve({ jobs: [job], pages_limit: 1_000 }, context());
    const answers = await Promise.allSettled(files.map((file, at) => ask(file, at % 2 ? pages : elsewhere)));
    assert.equal(answers.filter(({ status }) => status === 'fulfilled').length, 1);
    assert.equal(typeof (await reserve(1_000)), 'number', 'a page is left');
    assert.equal(typeof (await reserve(1_000)), 'string');
  });

  it('an image reserves a page whatever its size, and a job asked for again reserves what became known since', async () => {
    const id = jobOf(uuidv7());
    const ask = (content_type: string, size_bytes: number) =>
      pages.reserve({ jobs: [{ id, content_type, size_bytes }], pages_limit: 10 }, context());
    assert.equal((await ask('image/png', 5_000_000)).reserved.length, 1);
    assert.equal(await room(), 9);
    assert.equal((await ask('text/plain', 9_001)).reserved.length, 0);
    assert.equal(await room(), 6);
    await assert.rejects(ask('text/plain', 33_000), { code: 'QUOTA_EXCEEDED' });
    assert.equal(await room(), 6);
  });

  it('many at once are all or none, and no other tenant notices', async () => {
    const uuids = Array.from({ length: 11 }, () => uuidv7());
    assert.match(String(await reserve(10, uuids)), /at least 11/);
    assert.equal(await room(), 10);
    assert.equal(await reserve(10, uuids.slice(1)), 10);
    assert.equal(await room(), 0);
    tenantId = uuidv7();
    assert.equal(await room(), 10);
  });

  it('asked again for the same job, one page is reserved, also when it is asked ten times at once or named twice', async () => {
    const uuid = uuidv7();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => reserve(10, [uuid, uuid], at % 2 ? pages : elsewhere)),
    );
    assert.equal(answers.filter((count) => count === 1).length, 1);
    assert.equal(answers.filter((count) => count === 0).length, 9);
    assert.equal(await room(), 9);
    assert.equal(await reserve(1, [uuid]), 0, 'what is held fits, whatever the limit has become');
  });

  it('a reservation whose process died before the job was made ends with its lease; one released twice is released once', async () => {
    const [dead, refused] = [uuidv7(), uuidv7()];
    await reserve(10, [dead, refused]);
    await release(refused);
    await release(refused);
    assert.equal(await room(), 9);
    await endLeases();
    assert.equal(await room(), 10);
  });

  it('a job confirms its reservation by being there: the page stays reserved until it has ended, however long that takes', async () => {
    const jobId = await accepted();
    await endLeases();
    await new PageReservationStore(kiln.database).sweep(100);
    await endLeases();
    assert.equal(await room(), 9);
    await release(jobId);
    assert.equal(await room(), 9, 'what a job under way holds is not released');
  });

  for (const [end, name] of [
    ['fail', 'fails'],
    ['cancel', 'is cancelled'],
    ['delete', 'is deleted with its file'],
  ] as const) {
    it(`a job that ${name} gives its page back at once`, async () => {
      const jobId = await accepted();
      const { job } = await kiln.claimed();
      assert.equal(job.id, jobId);
      assert.equal(await room(), 9);
      await kiln.database.transaction(async (transaction) => {
        if (end === 'fail') await kiln.leases.fail(transaction, leaseOf(job), error);
        else if (end === 'delete') await kiln.deletedFiles.forget(transaction, tenantId, job.file_id);
      });
      if (end === 'cancel') await kiln.leases.cancel(kiln.database, leaseOf(job));
      assert.equal(await room(), 10);
    });
  }

  it('a failed job needs room to be retried, and holds it before and after it is queued again', async () => {
    const jobId = await accepted();
    const { job } = await kiln.claimed();
    await kiln.database.transaction((transaction) => kiln.leases.fail(transaction, leaseOf(job), error));
    await use(10);
    assert.equal(typeof (await reserve(10, [jobId])), 'string');
    assert.equal(await reserve(11, [jobId]), 1);
    assert.equal(typeof (await reserve(11)), 'string', 'its page is taken before the job is queued again');
    await kiln.sql(`update jobs set status = 'queued', completed_at = null where tenant_id = $1`, [tenantId]);
    await placeJobs(kiln);
    await endLeases();
    assert.equal(typeof (await reserve(11)), 'string', 'and after');
  });

  it('reservations that count no more are swept away; those of jobs under way, or late for less than a day, are not', async () => {
    const live = await accepted();
    const [old, late] = [uuidv7(), uuidv7()];
    await reserve(10, [old, late]);
    const store = new PageReservationStore(kiln.database);
    assert.equal(await store.sweep(100), 0);
    await endLeases();
    await kiln.sql(`update page_reservations set reserved_at = now() - interval '25 hours' where job_id = $1`, [old]);
    assert.equal(await store.sweep(100), 1);
    const left = await kiln.sql<{ job_id: string }>('select job_id from page_reservations where tenant_id = $1', [
      tenantId,
    ]);
    assert.deepEqual(new Set(left.map((row) => row.job_id)), new Set([live, late]));
  });

  /** What the run of a 4-page document with the organization's own key notes. */
  const note = (lease: Lease) => {
    const extraction = { key: 'organization' as const, page_count: 4, characters: 9, duration_seconds: null };
    return new RunUsageStore(kiln.database).record(lease, { extraction }, 'application/pdf');
  };

  it('a job that completes is counted by what it has used, in the commit that completes it, and once: not when that is lost', async () => {
    await accepted();
    const { job, lease } = await kiln.claimed();
    await note(lease);
    const complete = (settle: SettleJob) => settle.complete(lease, completedEvent(job));
    // The process dies when all is written and nothing committed.
    const dying = Object.create(kiln.database) as JobsHarness['database'];
    dying.transaction = (work) =>
      kiln.database.transaction(async (transaction) => {
        await work(transaction);
        throw new Error('killed');
      });
    await assert.rejects(complete(new SettleJob(dying, kiln.leases, 0, silentLogger)), /killed/);
    assert.deepEqual([await room(), (await usage.find(tenantId)).pagesUsed], [9, 0], 'still reserved, not yet used');
    const settle = new SettleJob(kiln.database, kiln.leases, 0, silentLogger);
    await Promise.all([complete(settle), complete(settle), complete(settle)]);
    assert.equal((await usage.find(tenantId)).pagesUsed, 2.4);
    assert.equal(await room(), 7, 'used 2.4, reserved nothing');
    assert.equal((await kiln.stored(tenantId, job.id)).status, 'completed');
  });

  it('jobs that complete together are counted the same; nothing is counted for a lost run', async () => {
    const count = 5;
    for (let at = 0; at < count; at++) await accepted();
    const runs = (await kiln.claims.turn(count)).jobs.map(finishedRun);
    assert.equal(runs.length, count);
    for (const { lease } of runs) await note(lease);
    const finished = runs.map(({ lease, event }, at) => ({
      lease: at === 0 ? { ...lease, fence: lease.fence - 1 } : lease,
      event,
    }));
    assert.deepEqual(await kiln.completions.complete(finished), finished.slice(0, 1));
    assert.equal((await kiln.completions.complete(finished)).length, count, 'said again, it completes nothing');
    assert.equal((await usage.find(tenantId)).pagesUsed, 9.6);
  });

  it('work of a test plane uses nothing', async () => {
    tenantId = testTenantOf(tenantId);
    await accepted();
    const { job, lease } = await kiln.claimed();
    await new SettleJob(kiln.database, kiln.leases, 0, silentLogger).complete(lease, completedEvent(job));
    assert.equal((await usage.find(tenantId)).pagesUsed, 0);
  });

  it('entries are summed up by several at a time without changing what was used, which starts anew with the month', async () => {
    await Promise.all(Array.from({ length: 40 }, () => use(1)));
    const sums = Array.from({ length: 8 }, (_, at) => (at % 2 ? usage : new UsageStore(otherDatabase)).sumUp(7));
    const seen = Array.from({ length: 8 }, async () => (await usage.find(tenantId)).pagesUsed);
    assert.deepEqual(new Set(await Promise.all(seen)), new Set([40]));
    assert.ok((await Promise.all(sums)).reduce((sum, count) => sum + count) <= 40);
    while ((await usage.sumUp(7)) > 0);
    await use(1);
    const { period, pagesUsed } = await usage.find(tenantId);
    assert.deepEqual([period, pagesUsed], [new Date().toISOString().slice(0, 7), 41]);
    for (const table of ['usage_totals', 'usage_entries']) {
      await kiln.sql(`update ${table} set period = period - interval '1 month' where tenant_id = $1`, [tenantId]);
    }
    assert.equal((await usage.find(tenantId)).pagesUsed, 0);
    assert.equal(await room(), 10);
  });
});

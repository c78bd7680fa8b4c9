// Real: Postgres, many connections at a time. FAKED: the passing of time, by moving the ends of leases.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hundredthsOfRun } from './domain/pages.js';
import { CodedError, encodeId, testTenantOf, type CallContext } from '@kiln/contracts';
import { inOneMonth } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { PageReservationStore } from './page-reservation.store.js';
import { UsageStore } from './usage.store.js';
import {
  completedEvent,
  finishedRun,
  leaseOf,
  openDatabase,
  silentLogger,
  startJobs,
  type JobsHarness,
} from '../../test/jobs-harness.js';
import { CompletionStore } from '../../leases/completion.store.js';
import type { Lease } from '../../leases/lease.store.js';
import { EndRun } from '../../worker/end-run.usecase.js';
import { CountPages } from './count-pages.usecase.js';

const error = { code: 'internal', message: 'x', retryable: true } as const;

describe('pages under a plan with a hard limit', () => {
  let kiln: JobsHarness;
  let usage: UsageStore;
  let pages: CountPages;
  /** What another replica of the service would be. */
  let elsewhere: CountPages;
  let otherDatabase: JobsHarness['database'];
  let tenantId: string;
  beforeAll(async () => {
    kiln = await startJobs();
    usage = new UsageStore(kiln.database);
    otherDatabase = await openDatabase(kiln.databaseUrl);
    [pages, elsewhere] = [kiln.database, otherDatabase].map(
      (database) => new CountPages(database, new UsageStore(database), new PageReservationStore(database)),
    ) as [CountPages, CountPages];
  });
  afterAll(async () => {
    await otherDatabase.close();
    await kiln.close();
  });

  /** Each starts with a new tenant. */
  function itInOneMonth(title: string, test: () => Promise<void>): void {
    it(title, () =>
      inOneMonth(async () => {
        tenantId = uuidv7();
        await kiln.clear();
        await test();
      }),
    );
  }

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
        if (!(refusal instanceof CodedError) || refusal.code !== 'QUOTA_EXCEEDED') throw new Error(String(refusal));
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
    expect(await reserve(10, [jobId])).toBe(1);
    await kiln.database.transaction((transaction) =>
      kiln.jobBatches.upsert(transaction, tenantId, [{ request: request(jobId), provider: null }]),
    );
    return jobId;
  };
  const request = (jobId: string) => ({
    file_id: encodeId('file', uuidv7()),
    job_id: jobOf(jobId),
    size_bytes: null,
    batch_id: null,
    space: 'default',
    filename: 'a.md',
    content_type: 'text/markdown',
    ready: true,
    processing: {},
  });

  itInOneMonth('100 concurrent requests to two replicas get exactly the 10 pages that are left', async () => {
    await use(90);
    const asked = Array.from({ length: 100 }, (_, at) => reserve(100, [uuidv7()], at % 2 ? pages : elsewhere));
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => answer === 1)).toHaveLength(10);
    for (const refusal of answers.filter((answer) => typeof answer === 'string')) {
      expect(refusal).toMatch(
        /at least 1 more.*limit of 100 pages.*90 are used and \d+ reserved.*resets on \d{4}-\d\d-01 00:00:00 UTC/,
      );
    }
  });

  itInOneMonth(
    'a text reserves the pages of its size: of six concurrent requests, as many succeed as fit',
    async () => {
      const files = Array.from({ length: 6 }, () => ({
        id: jobOf(uuidv7()),
        content_type: 'text/plain; charset=utf-8',
        size_bytes: 999 * 3_000,
      }));
      const ask = (job: (typeof files)[number], on: CountPages) =>
        on.reserve({ jobs: [job], pages_limit: 1_000 }, context());
      const answers = await Promise.allSettled(files.map((file, at) => ask(file, at % 2 ? pages : elsewhere)));
      expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      // A page is left.
      expect(typeof (await reserve(1_000))).toBe('number');
      expect(typeof (await reserve(1_000))).toBe('string');
    },
  );

  itInOneMonth(
    'an image reserves a page whatever its size, and a repeated request reserves what became known since',
    async () => {
      const id = jobOf(uuidv7());
      const ask = (content_type: string, size_bytes: number) =>
        pages.reserve({ jobs: [{ id, content_type, size_bytes }], pages_limit: 10 }, context());
      expect((await ask('image/png', 5_000_000)).reserved).toHaveLength(1);
      expect(await room()).toBe(9);
      expect((await ask('text/plain', 9_001)).reserved).toHaveLength(0);
      expect(await room()).toBe(6);
      await expect(ask('text/plain', 33_000)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
      expect(await room()).toBe(6);
    },
  );

  itInOneMonth('a request for many jobs is all or nothing, and affects no other tenant', async () => {
    const uuids = Array.from({ length: 11 }, () => uuidv7());
    expect(String(await reserve(10, uuids))).toMatch(/at least 11/);
    expect(await room()).toBe(10);
    expect(await reserve(10, uuids.slice(1))).toBe(10);
    expect(await room()).toBe(0);
    tenantId = uuidv7();
    expect(await room()).toBe(10);
  });

  itInOneMonth(
    'a repeated request for the same job reserves one page, even ten at a time or with the job named twice',
    async () => {
      const uuid = uuidv7();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, at) => reserve(10, [uuid, uuid], at % 2 ? pages : elsewhere)),
      );
      expect(answers.filter((count) => count === 1)).toHaveLength(1);
      expect(answers.filter((count) => count === 0)).toHaveLength(9);
      expect(await room()).toBe(9);
      // A reservation fits even if the limit was lowered after it.
      expect(await reserve(1, [uuid])).toBe(0);
    },
  );

  itInOneMonth(
    'a reservation whose process died before the job was created expires; a second release changes nothing',
    async () => {
      const [dead, refused] = [uuidv7(), uuidv7()];
      await reserve(10, [dead, refused]);
      await release(refused);
      await release(refused);
      expect(await room()).toBe(9);
      await endLeases();
      expect(await room()).toBe(10);
    },
  );

  itInOneMonth('the page of an existing job stays reserved until the job ends, however long that takes', async () => {
    const jobId = await accepted();
    await endLeases();
    await new PageReservationStore(kiln.database).sweep(100);
    await endLeases();
    expect(await room()).toBe(9);
    await release(jobId);
    // The reservation of an unfinished job is not released.
    expect(await room()).toBe(9);
  });

  for (const [end, name] of [
    ['fail', 'fails'],
    ['cancel', 'is cancelled'],
    ['delete', 'is deleted with its file'],
  ] as const) {
    itInOneMonth(`a job that ${name} releases its page at once`, async () => {
      const jobId = await accepted();
      const { job } = await kiln.claimed();
      expect(job.id).toBe(jobId);
      expect(await room()).toBe(9);
      await kiln.database.transaction(async (transaction) => {
        if (end === 'fail') await kiln.leases.fail(transaction, leaseOf(job), error);
        else if (end === 'delete') await kiln.deletedFiles.deleteJobs(transaction, tenantId, job.file_id);
      });
      if (end === 'cancel') await kiln.leases.cancel(kiln.database, leaseOf(job));
      expect(await room()).toBe(10);
    });
  }

  itInOneMonth('a retry needs room for its pages, and reserves them before and after it is queued', async () => {
    const jobId = await accepted();
    const { job } = await kiln.claimed();
    await kiln.database.transaction((transaction) => kiln.leases.fail(transaction, leaseOf(job), error));
    await use(10);
    expect(typeof (await reserve(10, [jobId]))).toBe('string');
    expect(await reserve(11, [jobId])).toBe(1);
    // Its page is taken before the job is queued again.
    expect(typeof (await reserve(11))).toBe('string');
    await kiln.sql(`update jobs set status = 'queued', completed_at = null where tenant_id = $1`, [tenantId]);
    await endLeases();
    // And after.
    expect(typeof (await reserve(11))).toBe('string');
  });

  itInOneMonth(
    'outdated reservations are removed; those of unfinished jobs, or without a job for less than a day, are not',
    async () => {
      const live = await accepted();
      const [old, late] = [uuidv7(), uuidv7()];
      await reserve(10, [old, late]);
      const store = new PageReservationStore(kiln.database);
      expect(await store.sweep(100)).toBe(0);
      await endLeases();
      await kiln.sql(`update page_reservations set reserved_at = now() - interval '25 hours' where job_id = $1`, [old]);
      expect(await store.sweep(100)).toBe(1);
      const left = await kiln.sql<{ job_id: string }>('select job_id from page_reservations where tenant_id = $1', [
        tenantId,
      ]);
      expect(new Set(left.map((row) => row.job_id))).toStrictEqual(new Set([live, late]));
    },
  );

  /** What the run of a 4-page document with the organization's own key notes. */
  const note = (lease: Lease) => {
    const extraction = { key: 'organization' as const, page_count: 4, characters: 9, duration_seconds: null };
    const usage = { parts: { extraction }, pageHundredths: hundredthsOfRun('application/pdf', extraction) };
    const report = { step: 'extract', progress: 0.1, provider: null, contentType: null, steps: [], usage };
    return kiln.leases.report([{ lease, report }]);
  };

  itInOneMonth(
    'a completed job counts what it has used, once, in the commit that completes it, and not when that commit fails',
    async () => {
      await accepted();
      const { job, lease } = await kiln.claimed();
      await note(lease);
      const complete = (endRun: EndRun) => endRun.complete({ lease, event: completedEvent(job) });
      // The process dies when all is written and nothing committed.
      const dying = kiln.database.transaction(async (transaction) => {
        await new CompletionStore(transaction).completeOne(finishedRun(job));
        throw new Error('killed');
      });
      await expect(dying).rejects.toThrow(/killed/);
      // Still reserved, not yet used.
      expect([await room(), (await usage.find(tenantId)).pagesUsed]).toStrictEqual([9, 0]);
      const endRun = new EndRun(kiln.database, kiln.leases, 0, silentLogger);
      await Promise.all([complete(endRun), complete(endRun), complete(endRun)]);
      expect((await usage.find(tenantId)).pagesUsed).toBe(2.4);
      // Used 2.4, reserved nothing.
      expect(await room()).toBe(7);
      expect((await kiln.stored(tenantId, job.id)).status).toBe('completed');
    },
  );

  itInOneMonth('jobs completed in one statement count the same; a run that lost its lease counts nothing', async () => {
    const count = 5;
    for (let at = 0; at < count; at++) await accepted();
    const runs = (await kiln.claims.claim(count)).jobs.map(finishedRun);
    expect(runs).toHaveLength(count);
    for (const { lease } of runs) await note(lease);
    const finished = runs.map(({ lease, event }, at) => ({
      lease: at === 0 ? { ...lease, fence: lease.fence - 1 } : lease,
      event,
    }));
    expect(await kiln.completions.complete(finished)).toStrictEqual(finished.slice(0, 1));
    // A repeated call completes nothing.
    expect(await kiln.completions.complete(finished)).toHaveLength(count);
    expect((await usage.find(tenantId)).pagesUsed).toBe(9.6);
  });

  itInOneMonth('work in test mode uses no pages', async () => {
    tenantId = testTenantOf(tenantId);
    await accepted();
    const { job, lease } = await kiln.claimed();
    await new EndRun(kiln.database, kiln.leases, 0, silentLogger).complete({ lease, event: completedEvent(job) });
    expect((await usage.find(tenantId)).pagesUsed).toBe(0);
  });

  itInOneMonth(
    'entries are summed up concurrently without changing the usage, which starts over with the month',
    async () => {
      await Promise.all(Array.from({ length: 40 }, () => use(1)));
      const sums = Array.from({ length: 8 }, (_, at) => (at % 2 ? usage : new UsageStore(otherDatabase)).sumUp(7));
      const seen = Array.from({ length: 8 }, async () => (await usage.find(tenantId)).pagesUsed);
      expect(new Set(await Promise.all(seen))).toStrictEqual(new Set([40]));
      expect((await Promise.all(sums)).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(40);
      while ((await usage.sumUp(7)) > 0);
      await use(1);
      const { period, pagesUsed } = await usage.find(tenantId);
      const [now] = await kiln.sql<{ month: string }>(`select to_char(now() at time zone 'utc', 'YYYY-MM') as month`);
      expect([period, pagesUsed]).toStrictEqual([now?.month, 41]);
      for (const table of ['usage_totals', 'usage_entries']) {
        await kiln.sql(`update ${table} set period = period - interval '1 month' where tenant_id = $1`, [tenantId]);
      }
      expect((await usage.find(tenantId)).pagesUsed).toBe(0);
      expect(await room()).toBe(10);
    },
  );
});

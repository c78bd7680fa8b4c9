// Jobs as callers see them: lists, cancellation, retries.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyOf, type CreatedFile, type Job, type KilnClient } from './support/kiln-client.js';
import { newSpace, putBytes, until } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const UNKNOWN_JOB = 'job_01h455vb4pex5vsknk084sn02q';

type Page = { jobs: Job[]; next_cursor: string | null };
type Fault = { error: string; code: string };

describe('jobs', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  beforeAll(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  afterAll(() => system.stop());

  /** A job that waits for bytes. */
  async function waiting(space = newSpace()): Promise<CreatedFile> {
    const { status, body } = await client.post<CreatedFile>('/v1/upload', { filename: 'a.md', space });
    expect(status).toBe(201);
    return body;
  }
  async function failed(space = newSpace()): Promise<CreatedFile> {
    const { body } = await client.upload('broken.pdf', '%PDF-1.7 and no more', { space });
    expect((await client.waitForJob(body.job_id)).error?.code).toBe('corrupt_file');
    return body;
  }
  async function completed(space = newSpace()): Promise<CreatedFile> {
    const { body } = await client.upload('a.md', '# Title\n\nAardvarks dig.', { space });
    expect((await client.waitForJob(body.job_id)).status).toBe('completed');
    return body;
  }
  const jobOf = async ({ job_id }: { job_id: string }) => (await client.get<Job>(`/v1/jobs/${job_id}`)).body;
  const fileStatus = async ({ id }: { id: string }) => (await client.get<CreatedFile>(`/v1/files/${id}`)).body.status;
  const change = (verb: 'cancel' | 'retry', jobId: string) =>
    client.request<Fault & { id: string; status: string }>('POST', `/v1/jobs/${jobId}/${verb}`);
  const list = async (query: string) => (await client.get<Page>(`/v1/jobs${query}`)).body;
  const idsOf = ({ jobs }: Page) => jobs.map(({ id }) => id);

  describe('the list', () => {
    it('filters by space and status, and shows the newest first', async () => {
      const space = newSpace();
      const [done, broken, idle] = [await completed(space), await failed(space), await waiting(space)];
      expect(idsOf(await list(`?space=${space}`))).toStrictEqual([idle.job_id, broken.job_id, done.job_id]);
      expect(idsOf(await list(`?space=${space}&status=failed`))).toStrictEqual([broken.job_id]);
      expect(idsOf(await list(`?space=${space}&status=cancelled`))).toStrictEqual([]);
      expect(idsOf(await list(`?space=${newSpace()}`))).toStrictEqual([]);
      expect(idsOf(await list('?status=queued'))).toContain(idle.job_id);
      const [first] = (await list(`?space=${space}&limit=1`)).jobs;
      const { timeline, ...idleJob } = await jobOf(idle);
      expect([first, timeline]).toStrictEqual([idleJob, []]);
    });

    it('returns each job once over its pages, while others are created', async () => {
      const space = newSpace();
      const made: string[] = [];
      for (let count = 0; count < 5; count++) made.unshift((await waiting(space)).job_id);
      const seen: string[] = [];
      for (let cursor = ''; ;) {
        const page = await list(`?space=${space}&limit=2${cursor}`);
        seen.push(...idsOf(page));
        if (page.next_cursor === null) break;
        cursor = `&cursor=${page.next_cursor}`;
        await waiting(space);
      }
      expect(seen).toStrictEqual(made);
    });

    it('with an invalid parameter is 400 and names it', async () => {
      const space = newSpace();
      await waiting(space);
      await waiting(space);
      const { next_cursor: cursor } = await list(`?space=${space}&limit=1`);
      const wrong: [parameter: string, query: string][] = [
        ['limit', 'limit=0'],
        ['limit', 'limit=201'],
        ['limit', 'limit=ten'],
        ['status', 'status=done'],
        ['space', 'space=a%20b'],
        ['cursor', 'cursor=nonsense'],
        ['cursor', `cursor=${cursor}`],
        ['cursor', `space=${space}&status=queued&cursor=${cursor}`],
      ];
      for (const [parameter, query] of wrong) {
        const { error } = bodyOf(await client.get<Fault>(`/v1/jobs?${query}`), 400);
        expect(error).toContain(parameter);
      }
    });
  });

  describe('the timeline', () => {
    const shown = ({ timeline }: Job) => timeline.map(({ attempt, step, status }) => [attempt, step, status]);

    it('of a completed job has each step of its run, with its duration and provider', async () => {
      const job = await jobOf(await completed());
      const steps = ['extract', 'metadata', 'index', 'finish'];
      expect(shown(job)).toStrictEqual(steps.map((step) => [1, step, 'completed']));
      for (const { duration_ms, error } of job.timeline)
        expect([typeof duration_ms, error]).toStrictEqual(['number', null]);
      expect(job.timeline[0]?.provider).toBe('document_extractor');
    });

    it('of a failed job has the failed step and the reason of every attempt', async () => {
      const file = await failed();
      await change('retry', file.job_id);
      const job = await until(
        () => jobOf(file),
        ({ status, attempts }) => status === 'failed' && attempts === 2,
      );
      expect(shown(job)).toStrictEqual([1, 2].map((attempt) => [attempt, 'extract', 'failed']));
      for (const { error } of job.timeline) {
        expect(error).toStrictEqual({ code: 'corrupt_file', message: job.error?.message });
      }
    });
  });

  describe('a cancel', () => {
    it('of a job that waits for bytes prevents it from running, and the file still accepts its bytes', async () => {
      const file = await waiting();
      const { status, body } = await change('cancel', file.job_id);
      expect([status, body]).toStrictEqual([200, { id: file.job_id, status: 'cancelled' }]);
      expect(await fileStatus(file)).toBe('uploading');
      await putBytes(file.upload_url, '# Late');
      await until(
        () => fileStatus(file),
        (now) => now === 'uploaded',
      );
      const job = await jobOf(file);
      expect([job.status, job.attempts]).toStrictEqual(['cancelled', 0]);
      const { body: again } = await client.post<{ job_id: string }>(`/v1/files/${file.id}/process`, {});
      expect((await client.waitForJob(again.job_id)).status).toBe('completed');
      expect((await jobOf(file)).status).toBe('cancelled');
    });

    it('of a file’s second job leaves the first one’s variants readable', async () => {
      const file = await completed();
      const { body } = await client.post<{ job_id: string }>(`/v1/files/${file.id}/process`, {});
      const { status } = await change('cancel', body.job_id);
      expect([200, 409]).toContain(status);
      expect(await client.markdown(file.id)).toMatch(/Aardvarks/);
      if (status === 200) expect(await fileStatus(file)).toBe('uploaded');
    });

    it('of an ended job is 409, and of an unknown job 404', async () => {
      const cancelled = await waiting();
      await change('cancel', cancelled.job_id);
      for (const { job_id } of [await completed(), await failed(), cancelled]) {
        const before = await jobOf({ job_id });
        const { status, body } = await change('cancel', job_id);
        expect([status, body.code]).toStrictEqual([409, 'CONFLICT']);
        expect(await jobOf({ job_id })).toStrictEqual(before);
      }
      for (const id of [UNKNOWN_JOB, cancelled.id, 'nonsense']) {
        bodyOf(await change('cancel', id), 404);
      }
    });
  });

  describe('a retry', () => {
    it('of a failed job runs it again, and continues the count of attempts', async () => {
      const file = await failed();
      const { status, body } = await change('retry', file.job_id);
      expect([status, body]).toStrictEqual([200, { id: file.job_id, status: 'queued' }]);
      const job = await until(
        () => jobOf(file),
        ({ status: now, attempts }) => now === 'failed' && attempts === 2,
      );
      expect(job.error?.code).toBe('corrupt_file');
      await until(
        () => fileStatus(file),
        (now) => now === 'failed',
      );
    });

    it('of any other job is 409, and of an unknown job 404', async () => {
      const [idle, cancelled, replaced] = [await waiting(), await waiting(), await failed()];
      await change('cancel', cancelled.job_id);
      await client.post(`/v1/files/${replaced.id}/process`, {});
      for (const { job_id } of [await completed(), idle, cancelled, replaced]) {
        const before = await jobOf({ job_id });
        const { status, body } = await change('retry', job_id);
        expect([status, body.code]).toStrictEqual([409, 'CONFLICT']);
        expect(await jobOf({ job_id })).toStrictEqual(before);
      }
      for (const id of [UNKNOWN_JOB, idle.id, 'nonsense']) {
        bodyOf(await change('retry', id), 404);
      }
    });
  });
});

// Jobs as a caller meets them: listed, cancelled, retried.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { textBlob } from './support/documents.js';
import type { CreatedFile, Job, KilnClient } from './support/kiln-client.js';
import { newSpace, putBytes, until } from './support/stored-files.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

const UNKNOWN_JOB = 'job_01h455vb4pex5vsknk084sn02q';
/** Takes seconds to read and index. */
const LONG_TEXT_MEGABYTES = 8;

type Page = { jobs: Job[]; next_cursor: string | null };
type Fault = { error: string; code: string };

describe('jobs', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  before(async () => {
    system = await systemUnderTest();
    client = system.client;
  });
  after(() => system.stop());

  /** A job that waits for bytes. */
  async function waiting(space = newSpace()): Promise<CreatedFile> {
    const { status, body } = await client.post<CreatedFile>('/v1/upload', { filename: 'a.md', space });
    assert.equal(status, 201);
    return body;
  }
  async function failed(space = newSpace()): Promise<CreatedFile> {
    const { body } = await client.upload('broken.pdf', '%PDF-1.7 and no more', { space });
    assert.equal((await client.waitForJob(body.job_id)).error?.code, 'corrupt_file');
    return body;
  }
  async function completed(space = newSpace()): Promise<CreatedFile> {
    const { body } = await client.upload('a.md', '# Title\n\nAardvarks dig.', { space });
    assert.equal((await client.waitForJob(body.job_id)).status, 'completed');
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
      assert.deepEqual(idsOf(await list(`?space=${space}`)), [idle.job_id, broken.job_id, done.job_id]);
      assert.deepEqual(idsOf(await list(`?space=${space}&status=failed`)), [broken.job_id]);
      assert.deepEqual(idsOf(await list(`?space=${space}&status=cancelled`)), []);
      assert.deepEqual(idsOf(await list(`?space=${newSpace()}`)), []);
      assert.ok(idsOf(await list('?status=queued')).includes(idle.job_id));
      const [first] = (await list(`?space=${space}&limit=1`)).jobs;
      const { timeline, ...idleJob } = await jobOf(idle);
      assert.deepEqual([first, timeline], [idleJob, []]);
    });

    it('shows each job once over its pages, though others come meanwhile', async () => {
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
      assert.deepEqual(seen, made);
    });

    it('with a wrong parameter is 400 and names it', async () => {
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
        const { status, body } = await client.get<Fault>(`/v1/jobs?${query}`);
        assert.equal(status, 400, query);
        assert.ok(body.error.includes(parameter), `${query}: ${body.error}`);
      }
    });
  });

  describe('the timeline', () => {
    const shown = ({ timeline }: Job) => timeline.map(({ attempt, step, status }) => [attempt, step, status]);

    it('of a completed job tells each step of its run, with its time and who did it', async () => {
      const job = await jobOf(await completed());
      const steps = ['extract', 'metadata', 'index', 'finish'];
      assert.deepEqual(
        shown(job),
        steps.map((step) => [1, step, 'completed']),
      );
      for (const { duration_ms, error } of job.timeline)
        assert.deepEqual([typeof duration_ms, error], ['number', null]);
      assert.equal(job.timeline[0]?.provider, 'document_extractor');
    });

    it('of a failed job tells where and why, for every attempt', async () => {
      const file = await failed();
      await change('retry', file.job_id);
      const job = await until(
        () => jobOf(file),
        ({ status, attempts }) => status === 'failed' && attempts === 2,
      );
      assert.deepEqual(
        shown(job),
        [1, 2].map((attempt) => [attempt, 'extract', 'failed']),
      );
      for (const { error } of job.timeline) {
        assert.deepEqual(error, { code: 'corrupt_file', message: job.error?.message });
      }
    });
  });

  describe('a cancel', () => {
    it('of a job that waits for bytes keeps it from ever running, and the file takes its bytes all the same', async () => {
      const file = await waiting();
      const { status, body } = await change('cancel', file.job_id);
      assert.deepEqual([status, body], [200, { id: file.job_id, status: 'cancelled' }]);
      assert.equal(await fileStatus(file), 'uploading');
      await putBytes(file.upload_url, '# Late');
      await until(
        () => fileStatus(file),
        (now) => now === 'uploaded',
      );
      const job = await jobOf(file);
      assert.deepEqual([job.status, job.attempts], ['cancelled', 0]);
      const { body: again } = await client.post<{ job_id: string }>(`/v1/files/${file.id}/process`, {});
      assert.equal((await client.waitForJob(again.job_id)).status, 'completed');
      assert.equal((await jobOf(file)).status, 'cancelled');
    });

    for (const step of ['extract', 'index']) {
      it(`of a job that runs (${step}) is final when it answers, and nothing of the run is seen afterwards`, async () => {
        const [space, other] = [newSpace(), newSpace()];
        const { body: file } = await client.upload('long.txt', textBlob(LONG_TEXT_MEGABYTES), { space });
        const job = await until(
          () => jobOf(file),
          (now) => now.step === step || now.status === 'completed',
        );
        assert.equal(job.status, 'processing', 'the text is too short for this check');
        assert.equal((await change('cancel', file.job_id)).status, 200);
        const seen = async () => ({
          status: await fileStatus(file),
          variants: (await client.get<{ variants: object[] }>(`/v1/files/${file.id}`)).body.variants,
          found: (await client.search('dull boy', { space })).total,
        });
        const atOnce = await seen();
        assert.equal(atOnce.status, 'uploaded');
        // As much work as the run had left, by then done twice.
        const { body: later } = await client.upload('long.txt', textBlob(LONG_TEXT_MEGABYTES), { space: other });
        assert.equal((await client.waitForJob(later.job_id)).status, 'completed');
        assert.deepEqual(await seen(), atOnce);
        const { status, error, timeline } = await jobOf(file);
        assert.deepEqual([status, error], ['cancelled', null]);
        assert.deepEqual([timeline.at(-1)?.step, timeline.at(-1)?.status], [step, 'cancelled']);
      });
    }

    it('of a file’s second job leaves the first one’s variants readable', async () => {
      const file = await completed();
      const { body } = await client.post<{ job_id: string }>(`/v1/files/${file.id}/process`, {});
      const { status } = await change('cancel', body.job_id);
      assert.ok(status === 200 || status === 409, String(status));
      assert.match(await client.markdown(file.id), /Aardvarks/);
      if (status === 200) assert.equal(await fileStatus(file), 'uploaded');
    });

    it('of a job that has ended is 409, and of none 404', async () => {
      const cancelled = await waiting();
      await change('cancel', cancelled.job_id);
      for (const { job_id } of [await completed(), await failed(), cancelled]) {
        const before = await jobOf({ job_id });
        const { status, body } = await change('cancel', job_id);
        assert.deepEqual([status, body.code], [409, 'CONFLICT']);
        assert.deepEqual(await jobOf({ job_id }), before);
      }
      for (const id of [UNKNOWN_JOB, cancelled.id, 'nonsense']) {
        assert.equal((await change('cancel', id)).status, 404, id);
      }
    });
  });

  describe('a retry', () => {
    it('of a failed job runs it once more, and counts on', async () => {
      const file = await failed();
      const { status, body } = await change('retry', file.job_id);
      assert.deepEqual([status, body], [200, { id: file.job_id, status: 'queued' }]);
      const job = await until(
        () => jobOf(file),
        ({ status: now, attempts }) => now === 'failed' && attempts === 2,
      );
      assert.equal(job.error?.code, 'corrupt_file');
      await until(
        () => fileStatus(file),
        (now) => now === 'failed',
      );
    });

    it('of any other job is 409, and of none 404', async () => {
      const [idle, cancelled, replaced] = [await waiting(), await waiting(), await failed()];
      await change('cancel', cancelled.job_id);
      await client.post(`/v1/files/${replaced.id}/process`, {});
      for (const { job_id } of [await completed(), idle, cancelled, replaced]) {
        const before = await jobOf({ job_id });
        const { status, body } = await change('retry', job_id);
        assert.deepEqual([status, body.code], [409, 'CONFLICT']);
        assert.deepEqual(await jobOf({ job_id }), before);
      }
      for (const id of [UNKNOWN_JOB, idle.id, 'nonsense']) {
        assert.equal((await change('retry', id)).status, 404, id);
      }
    });
  });
});

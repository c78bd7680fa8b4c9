// Processes that die without a word, under load: nothing that was promised with a 201 is lost. The suite launches a system
// of its own, since it breaks it.
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { KilnClient, type Job } from './support/kiln-client.js';

const UPLOADS = 60;
const CONCURRENCY = 4;
const KILL_AFTER = 15;
const RECOVERY_MS = 120_000;
const RECLAIM_MS = 60_000;

/** What getting a file may take at most. */
const FILES_DEADLINE_MS = 3_000;
const REFUSED_WITHIN_MS = 500;

/** Large enough to be at work for some seconds. */
function largeTable(rows: number): string {
  const lines = ['name;place;count;remark'];
  for (let row = 0; row < rows; row++) lines.push(`bird${row};harbour ${row % 97};${row};seen at the lighthouse`);
  return lines.join('\n');
}

describe('when a part is killed or hangs', () => {
  let system: RunningSystem;
  let client: KilnClient;

  before(async () => {
    system = await startSystem();
    client = await KilnClient.of(system.baseUrl, system.apiKey);
  });
  after(() => system.stop());

  const workerPid = () => {
    const worker = system.runJson().services.find(({ name, role }) => name === 'jobs' && role === 'worker');
    assert.ok(worker);
    return worker.pid;
  };

  const killServer = (server: 'nats' | 'redis' | 'postgres') => {
    const { pid } = system.runJson()[server];
    assert.ok(pid, `${server} is run by the launcher`);
    process.kill(pid, 'SIGKILL');
  };

  async function reached(jobId: string, status: string): Promise<Job> {
    for (;;) {
      const { body } = await client.get<Job>(`/v1/jobs/${jobId}`);
      if (body.status === status) return body;
      assert.ok(body.status === 'queued' || body.status === 'processing', `already ${body.status}`);
      await delay(20);
    }
  }

  it('after kill -9 of the worker in the middle of a job, the job completes within 60 s, once', async () => {
    const { body } = await client.upload('birds.csv', largeTable(60_000), { space: 'crash' });
    await reached(body.job_id, 'processing');
    const pid = workerPid();
    process.kill(pid, 'SIGKILL');
    const killedAt = performance.now();
    const job = await client.waitForJob(body.job_id, RECLAIM_MS + 5_000);
    assert.ok(performance.now() - killedAt < RECLAIM_MS);
    assert.deepEqual([job.status, job.attempts, job.error], ['completed', 2, null]);
    assert.notEqual(workerPid(), pid, 'the launcher has replaced the worker');

    const file = await client.get<{ variants: { type: string }[] }>(`/v1/files/${body.id}`);
    assert.deepEqual(file.body.variants.map((variant) => variant.type).sort(), [
      'markdown',
      'metadata',
      'searchable-index',
    ]);
    assert.equal((await client.search('bird777', { space: 'crash' })).total, 1);
  });

  for (const server of ['nats', 'redis', 'postgres'] as const) {
    it(`after kill -9 of ${server} under upload load, every upload that got its 201 completes`, async () => {
      const promised: string[] = [];
      let sent = 0;
      const uploader = async () => {
        while (sent < UPLOADS) {
          const index = sent++;
          if (index === KILL_AFTER) killServer(server);
          const { status, body } = await client.upload(`${server}-${index}.txt`, `upload ${index} meets ${server}`, {
            space: server,
          });
          if (status === 201) promised.push(body.job_id);
          else assert.equal(status, 503, `upload ${index}: ${status} ${JSON.stringify(body)}`);
          if (status === 503) await delay(200);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, uploader));
      assert.ok(promised.length > KILL_AFTER, `${promised.length} of ${UPLOADS} uploads were taken`);
      const jobs = await Promise.all(promised.map((jobId) => client.waitForJob(jobId, RECOVERY_MS)));
      assert.deepEqual(
        jobs.filter((job) => job.status !== 'completed'),
        [],
      );
    });
  }

  it('a service that hangs is 503 by its deadline, soon within half a second, and others are served', async () => {
    const created = await client.upload('kept.txt', 'The lighthouse keeper sleeps.', { skip_processing: 'true' });
    const path = `/v1/files/${created.body.id}`;
    const files = system.runJson().services.find(({ name }) => name === 'files');
    assert.ok(files);
    process.kill(files.pid, 'SIGSTOP');
    try {
      const timed = async () => {
        const startedAt = performance.now();
        const { status, headers, body } = await client.get(path);
        assert.deepEqual([status, body['code']], [503, 'UNAVAILABLE']);
        assert.ok(Number(headers.get('retry-after')) >= 1);
        return performance.now() - startedAt;
      };
      const waited = await Promise.all(Array.from({ length: 10 }, timed));
      assert.ok(Math.max(...waited) < FILES_DEADLINE_MS + 1_000, `${Math.max(...waited)} ms`);
      while ((await timed()) > REFUSED_WITHIN_MS); // Until a ping of the service has stayed without an answer.
      const refused = await Promise.all([timed(), timed(), timed(), timed()]);
      assert.ok(Math.max(...refused) < REFUSED_WITHIN_MS, `${refused.join(', ')} ms`);
      assert.equal((await client.get('/v1/me')).status, 200);
      assert.equal((await client.search('lighthouse')).mode, 'text');
    } finally {
      process.kill(files.pid, 'SIGCONT');
    }
    for (;;) if ((await client.get(path)).status === 200) break;
  });

  it('the API is ready again, and searches', async () => {
    assert.equal((await client.get('/readyz')).status, 200);
    assert.equal((await client.search('lighthouse')).mode, 'text');
  });
});

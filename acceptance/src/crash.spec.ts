// Processes killed under load: no upload that returned 201 is lost. The suite launches its own system, because it kills its processes.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyOf, KilnClient, type Job } from './support/kiln-client.js';

const UPLOADS = 60;
const CONCURRENCY = 4;
const KILL_AFTER = 15;
const RECOVERY_MS = 120_000;

/** Large enough to process for some seconds. */
function largeTable(rows: number): string {
  const lines = ['name;place;count;remark'];
  for (let row = 0; row < rows; row++) lines.push(`bird${row};harbour ${row % 97};${row};seen at the lighthouse`);
  return lines.join('\n');
}

describe('when a process is killed or hangs', () => {
  let system: RunningSystem;
  let client: KilnClient;

  beforeAll(async () => {
    // No limit except the machine's.
    system = await startSystem({ environment: { KILN_RATE_LIMIT_RPS: '100000', KILN_RATE_LIMIT_BURST: '100000' } });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
  });
  afterAll(() => system.stop());

  const workerPid = () => {
    const worker = system.runJson().services.find(({ name, role }) => name === 'jobs' && role === 'worker');
    if (!worker) throw new Error('no worker');
    return worker.pid;
  };

  /** What the gateway counts for the files service. */
  async function gatewayMetric(name: string): Promise<number> {
    const url = system.runJson().services.find((service) => service.name === 'gateway')?.metrics_url ?? '';
    const text = await (await fetch(url)).text();
    return Number(new RegExp(`^${name}\\{[^}]*service="files"[^}]*\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  }

  const killServer = (server: 'nats' | 'redis' | 'postgres') => {
    const { pid } = system.runJson()[server];
    if (!pid) throw new Error(`${server} is run by the launcher`);
    process.kill(pid, 'SIGKILL');
  };

  async function reached(jobId: string, status: string): Promise<Job> {
    let job: Job | undefined;
    await eventually(async () => {
      job = (await client.get<Job>(`/v1/jobs/${jobId}`)).body;
      expect(job.status).toBe(status);
    });
    return job as Job;
  }

  /** Repeats an upload until it is accepted, as a caller does. Returns its job. */
  async function uploaded(filename: string, space: string, deadline: number): Promise<string> {
    for (;;) {
      const answer = await client.upload(filename, `${filename} meets a storm`, { space });
      if (answer.status === 201) return answer.body.job_id;
      bodyOf(answer, 503);
      expect(performance.now()).toBeLessThan(deadline);
      await delay(200);
    }
  }

  it('after kill -9 of the worker during a job, the job completes once', async () => {
    const { body } = await client.upload('birds.csv', largeTable(60_000), { space: 'crash' });
    // No job ends while the store stands still.
    const store = system.runJson().object_store.pid;
    if (!store) throw new Error('the launcher does not run the store');
    process.kill(store, 'SIGSTOP');
    const pid = workerPid();
    try {
      await reached(body.job_id, 'processing');
      process.kill(pid, 'SIGKILL');
    } finally {
      process.kill(store, 'SIGCONT');
    }
    const job = await client.waitForJob(body.job_id);
    expect([job.status, job.attempts, job.error]).toStrictEqual(['completed', 2, null]);
    // The launcher has restarted the worker.
    expect(workerPid()).not.toBe(pid);

    const file = await client.get<{ variants: { type: string }[] }>(`/v1/files/${body.id}`);
    expect(file.body.variants.map((variant) => variant.type).sort()).toStrictEqual([
      'markdown',
      'metadata',
      'searchable-index',
    ]);
    expect((await client.search('bird777', { space: 'crash' })).total).toBe(1);
  });

  for (const server of ['nats', 'redis', 'postgres'] as const) {
    it(`after kill -9 of ${server} under upload load, uploads are accepted again, and every one that returned 201 completes`, async () => {
      const promised: string[] = [];
      let sent = 0;
      const deadline = performance.now() + RECOVERY_MS;
      const uploader = async () => {
        while (sent < UPLOADS) {
          const index = sent++;
          if (index === KILL_AFTER) killServer(server);
          promised.push(await uploaded(`${server}-${index}.txt`, server, deadline));
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, uploader));
      const jobs = await Promise.all(promised.map((jobId) => client.waitForJob(jobId, RECOVERY_MS)));
      expect(jobs.filter((job) => job.status !== 'completed')).toStrictEqual([]);
    });
  }

  it('calls to a hanging service return 503, later without being sent, and other services respond', async () => {
    const created = await client.upload('kept.txt', 'The lighthouse keeper sleeps.', { skip_processing: 'true' });
    const path = `/v1/files/${created.body.id}`;
    const files = system.runJson().services.find(({ name }) => name === 'files');
    if (!files) throw new Error('no files');
    process.kill(files.pid, 'SIGSTOP');
    try {
      const refused = async () => {
        const { status, headers, body } = await client.get(path);
        expect([status, body['code']]).toStrictEqual([503, 'UNAVAILABLE']);
        expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      };
      await Promise.all(Array.from({ length: 10 }, refused));
      // Until a ping of the service has failed.
      await eventually(async () => expect(await gatewayMetric('kiln_circuit_state')).toBe(1));
      const before = await gatewayMetric('kiln_circuit_refused_total');
      await Promise.all(Array.from({ length: 4 }, refused));
      expect((await gatewayMetric('kiln_circuit_refused_total')) - before).toBe(4);
      expect((await client.get('/v1/me')).status).toBe(200);
      expect((await client.get('/v1/jobs')).status).toBe(200);
    } finally {
      process.kill(files.pid, 'SIGCONT');
    }
    await eventually(async () => expect((await client.get(path)).status).toBe(200));
  });

  it('the API is ready again, and search works', async () => {
    expect((await client.get('/readyz')).status).toBe(200);
    expect((await client.search('lighthouse')).mode).toBe('text');
  });
});

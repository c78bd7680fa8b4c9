/** @slow */
// Processes are killed: nothing that was accepted is lost or counted twice. The suite launches its own system, because it kills its processes.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { acceptanceEnvironment, startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { setTimeout as delay } from 'node:timers/promises';
import { answer, startEndpoint } from './support/endpoints.js';
import { inOneMonth } from './support/in-one-month.js';
import { bodyOf, KilnClient, type CreatedFile, type Job } from './support/kiln-client.js';
import { newOrganizationWithKey } from './support/operator.config.js';
import { allOf, overviewEqualsLists, type Row } from './support/overview.js';

const UPLOADS = 60;
const CONCURRENCY = 4;
const KILL_AFTER = 15;
const RECOVERY_MS = 120_000;

function table(rows: number): string {
  const lines = ['name;place;count;remark'];
  for (let row = 0; row < rows; row++) lines.push(`bird${row};harbour ${row % 97};${row};seen at the lighthouse`);
  return lines.join('\n');
}

describe('when a process is killed or hangs', () => {
  let system: RunningSystem;
  let client: KilnClient;

  beforeAll(async () => {
    system = await startSystem({ environment: { ...acceptanceEnvironment, KILN_ANALYTICS_RECONCILE_SECONDS: '5' } });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
  });
  afterAll(() => system.stop());

  function serviceNamed(name: string, role: string) {
    const service = system.runJson().services.find((one) => one.name === name && one.role === role);
    if (!service) throw new Error(`${name} is not running`);
    return service;
  }
  function serverPid(server: 'nats' | 'redis' | 'postgres' | 'object_store'): number {
    const { pid } = system.runJson()[server];
    if (!pid) throw new Error(`${server} is not run by the launcher`);
    return pid;
  }
  const kill = (pid: number) => process.kill(pid, 'SIGKILL');
  const metricsOf = async (name: string) => (await fetch(serviceNamed(name, 'api').metrics_url)).text();

  /** What the gateway counts for the files service. */
  async function gatewayMetric(name: string): Promise<number> {
    const text = await metricsOf('gateway');
    return Number(new RegExp(`^${name}\\{[^}]*service="files"[^}]*\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
  }

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
    const { pid } = serviceNamed('jobs', 'worker');
    const store = serverPid('object_store');
    // The worker claims the job after the store has stopped, so the job cannot end before the kill.
    process.kill(pid, 'SIGSTOP');
    const { body } = await client.upload('birds.csv', table(1_000), { space: 'crash' });
    process.kill(store, 'SIGSTOP');
    process.kill(pid, 'SIGCONT');
    try {
      await reached(body.job_id, 'processing');
      kill(pid);
    } finally {
      process.kill(store, 'SIGCONT');
    }
    const job = await client.waitForJob(body.job_id);
    expect([job.status, job.attempts, job.error]).toStrictEqual(['completed', 2, null]);
    // The launcher has restarted the worker.
    expect(serviceNamed('jobs', 'worker').pid).not.toBe(pid);

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
          if (index === KILL_AFTER) kill(serverPid(server));
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
    const files = serviceNamed('files', 'api');
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

  it('files that are deleted while storage is down disappear at once, and their bytes when it is up again', async () => {
    const { body: file } = await client.upload('avocet.md', '# Avocet', { space: 'outage' });
    expect((await client.waitForJob(file.job_id)).status).toBe('completed');
    const path = `/v1/files/${file.id}`;
    const { url } = (await client.get<{ url: string }>(`${path}/download`)).body;
    kill(serverPid('object_store'));
    expect((await client.request('DELETE', path)).status).toBe(200);
    expect((await client.get(path)).status).toBe(404);
    await eventually(async () => expect((await fetch(url)).status).toBe(404));
  });

  it('a webhook is delivered by the next process, and its log records the attempt of the killed one', async () => {
    const endpoint = await startEndpoint(() => {});
    // Events of the tests before may be delivered again after a kill. They are in other spaces.
    const json = { url: endpoint.url, events: ['file.created'], spaces: ['survivors'] };
    const { id } = bodyOf(await client.post<{ id: string }>('/v1/webhooks', json), 201);
    await client.upload('survivor.txt', 'content', { space: 'survivors', skip_processing: 'true' });
    await eventually(() => expect(endpoint.received).toHaveLength(1));
    kill(serviceNamed('webhooks', 'all').pid);
    endpoint.behave(answer(204));
    let delivery: { id: string; attempt: number } | undefined;
    await eventually(async () => {
      // None while the service is down.
      const { body } = await client.get<{ deliveries?: [typeof delivery] }>(
        `/v1/webhooks/${id}/deliveries?status=delivered`,
      );
      delivery = body.deliveries?.[0];
      expect(delivery?.attempt).toBe(2);
    });
    type Attempts = { attempts: { status_code: number | null; error: string | null }[] };
    const path = `/v1/webhooks/${id}/deliveries/${delivery?.id}`;
    const { attempts } = bodyOf(await client.get<Attempts>(path), 200);
    expect(attempts[0]?.error ?? '').toMatch(/is not known/);
    expect([attempts.length, attempts[1]?.status_code]).toStrictEqual([2, 204]);
    expect(new Set(endpoint.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    await client.request('DELETE', `/v1/webhooks/${id}`);
    await endpoint.close();
  });

  it('pages are counted once: uploads within the quota complete, and use all of it', () =>
    inOneMonth(async () => {
      const { apiKey } = await newOrganizationWithKey(system.dataDir, 'free');
      const free = await KilnClient.of(system.baseUrl, apiKey);
      const uploads = await Promise.all(Array.from({ length: 20 }, (_, at) => free.upload(`${at}.md`, `# Note ${at}`)));
      kill(serviceNamed('jobs', 'worker').pid);
      const accepted = uploads.filter(({ status }) => status === 201);
      expect(accepted).toHaveLength(10);
      const jobs = await Promise.all(accepted.map(({ body }) => free.waitForJob(body.job_id, RECOVERY_MS)));
      expect(jobs.filter(({ status }) => status !== 'completed')).toStrictEqual([]);
      expect((await free.get<{ pages_used: number }>('/v1/org/usage')).body.pages_used).toBe(10);
    }));

  it('analytics equal the lists, after analytics, files and a worker were killed under load', async () => {
    const accepted: CreatedFile[] = [];
    const load = async (uploader: number) => {
      for (let index = 0; index < 15; index++) {
        const name = `${index}.md`;
        const uploading = client.upload(name, `# ${uploader} ${index}`, { space: `load-${uploader}` });
        const uploaded = await uploading.catch(() => null);
        if (uploaded?.status === 201) accepted.push(uploaded.body);
        if (uploader === 0 && index === 4) kill(serviceNamed('analytics', 'api').pid);
        if (uploader === 0 && index === 7) kill(serviceNamed('jobs', 'worker').pid);
        if (uploader === 0 && index === 10) kill(serviceNamed('files', 'api').pid);
        if (uploader === 1 && index % 5 === 0 && uploaded?.status === 201) {
          await client.request('DELETE', `/v1/files/${uploaded.body.id}`).catch(() => null);
        }
      }
    };
    await Promise.all([load(0), load(1), load(2)]);
    expect(accepted.length).toBeGreaterThan(10);
    await eventually(async () => {
      const jobs = await allOf<Row>(client, '/v1/jobs', 'jobs');
      expect(jobs.filter(({ status }) => status === 'queued' || status === 'processing')).toStrictEqual([]);
    });
    await overviewEqualsLists(client);
    await eventually(async () => {
      const metrics = await metricsOf('analytics');
      const drifts = [...metrics.matchAll(/^kiln_analytics_drift\{.*\} (.+)$/gm)].map(([, value]) => value);
      expect(drifts).toStrictEqual(Array.from({ length: 9 }, () => '0'));
      expect(metrics).toMatch(/^kiln_analytics_reconciled_tenants(\{.*\})? [1-9]/m);
    });
  }, 240_000);

  it('the API is ready again, and search works', async () => {
    expect((await client.get('/readyz')).status).toBe(200);
    expect((await client.search('lighthouse')).mode).toBe('text');
  });
});

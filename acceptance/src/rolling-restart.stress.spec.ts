// Every process of a system with two replicas each is restarted under load, one after the other. The suite launches its own system.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@kiln/dev';
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import { setTimeout as delay } from 'node:timers/promises';
import { startEndpoint, type Behaviour, type Endpoint } from './support/endpoints.js';
import { bodyOf, KilnClient, type CreatedFile } from './support/kiln-client.js';
import { json, slowUpload, SteadyLoad, upload } from './support/steady-load.js';

const ANSWERS_BETWEEN = 10;
const RESTART_MS = 120_000;
const ANSWER_DELAY_MS = 20;
/** Longer than a stopping process waits for a delivery. */
const SLOW_ANSWER_MS = 5_000;
const RELEASED = 'The worker was stopped in the middle of this attempt.';

interface Delivery {
  id: string;
  event_id: string;
  event_type: string;
  status: string;
  attempt: number;
}
const answerAfter =
  (milliseconds: number): Behaviour =>
  (response) =>
    void setTimeout(() => response.writeHead(204).end(), milliseconds);
type Service = ReturnType<RunningSystem['runJson']>['services'][number];

let system: RunningSystem;
let client: KilnClient;
let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint(answerAfter(ANSWER_DELAY_MS));
  system = await startSystem({
    environment: {
      KILN_REPLICAS: '2',
      KILN_OUTBOUND_ALLOW: '127.0.0.1',
      KILN_RATE_LIMIT_RPS: '100000',
      KILN_RATE_LIMIT_BURST: '100000',
      // The launcher and the callers may stand still on a busy machine, but not so long.
      KILN_DRAIN_NOTICE_SECONDS: '8',
    },
  });
  client = await KilnClient.of(system.baseUrl, system.apiKey);
});
afterAll(async () => {
  await system.stop();
  await endpoint.close();
});

const statusOf = (url: string) =>
  fetch(url).then(
    async (response) => {
      await response.body?.cancel();
      return response.status;
    },
    () => 0,
  );

/** Restarts a process as Kubernetes does, and returns when its successor is ready. */
async function restart(service: Service, whileStopping: () => Promise<void>): Promise<void> {
  const readyUrl = `${service.health_url}/readyz`;
  process.kill(service.pid, 'SIGTERM');
  await eventually(async () => expect(await statusOf(readyUrl)).not.toBe(200));
  await whileStopping();
  const successor = () => system.runJson().services.find(({ health_url }) => health_url === service.health_url);
  await eventually(() => expect(successor()?.pid).not.toBe(service.pid), { timeoutMs: RESTART_MS });
  await eventually(async () => expect(await statusOf(readyUrl)).toBe(200), { timeoutMs: RESTART_MS });
}

interface Attempt {
  attempt: number;
  error: string | null;
}
async function attemptsOf(webhookId: string, deliveryId: string): Promise<Attempt[]> {
  const path = `/v1/webhooks/${webhookId}/deliveries/${deliveryId}`;
  return bodyOf(await client.get<{ attempts: Attempt[] }>(path), 200).attempts;
}

interface Page {
  deliveries: Delivery[];
  next_cursor: string | null;
}
async function allDeliveries(webhookId: string): Promise<Delivery[]> {
  const all: Delivery[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const path = `/v1/webhooks/${webhookId}/deliveries?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const page: Page = bodyOf(await client.get<Page>(path), 200);
    all.push(...page.deliveries);
    cursor = page.next_cursor;
  }
  return all;
}

it('a rolling restart of every process fails no request, cuts no upload, and delays no webhook', async () => {
  const webhook = bodyOf(
    await client.post<{ id: string }>('/v1/webhooks', {
      url: endpoint.url,
      events: ['file.created', 'file.processing.completed'],
    }),
    201,
  );
  const stored: CreatedFile[] = [];
  const load = new SteadyLoad(system);
  const store = (answer: { body: string }) => void stored.push(JSON.parse(answer.body) as CreatedFile);
  for (const caller of ['a', 'b'])
    load.add(
      `upload ${caller}`,
      201,
      (index) => upload(`${caller}-${index}.txt`, `Tide ${index} of ${caller}.`),
      store,
    );
  for (const caller of ['a', 'b']) load.add(`list ${caller}`, 200, () => ({ method: 'GET', path: '/v1/files' }));
  for (const caller of ['a', 'b'])
    load.add(`search ${caller}`, 200, () => json('POST', '/v1/search', { query: 'tide' }));
  const progress = async () => {
    const before = load.fewest;
    await eventually(() => expect(load.fewest).toBeGreaterThanOrEqual(before + ANSWERS_BETWEEN));
  };

  await progress();
  const restarted = system.runJson().services;
  expect(restarted).toHaveLength(16);
  for (const service of restarted) {
    const target = service.url === undefined ? null : { baseUrl: service.url, apiKey: system.apiKey };
    // Deliveries under way outlast the process, which gives them back.
    const isWebhooks = service.name === 'webhooks';
    endpoint.behave(answerAfter(isWebhooks ? SLOW_ANSWER_MS : ANSWER_DELAY_MS));
    const slow = target && slowUpload(target, `slow-${service.pid}.txt`);
    await progress();
    await restart(service, async () => {
      if (!slow) return;
      // The gateway has stopped listening, and waits for this upload alone.
      await eventually(async () => expect(await statusOf(`${service.url}/livez`)).toBe(0));
      await delay(1_000);
      const answer = await slow.finish();
      expect(answer).toMatchObject({ status: 201 });
      store(answer);
    });
    await progress();
    expect({ after: `${service.name} ${service.role}`, failures: load.failures }).toMatchObject({ failures: [] });
  }
  endpoint.behave(answerAfter(ANSWER_DELAY_MS));
  await load.stop();
  expect(load.failures).toStrictEqual([]);

  const jobs = await Promise.all(stored.map(({ job_id }) => client.waitForJob(job_id)));
  expect(jobs.filter(({ status }) => status !== 'completed')).toStrictEqual([]);
  // Two events a file. None waited for the lease of a stopped process: an attempt ended well, or was released.
  const deliveries = await eventually(async () => {
    const all = await allDeliveries(webhook.id);
    expect(all.filter(({ status }) => status === 'delivered')).toHaveLength(2 * stored.length);
    return all;
  });
  const repeated = deliveries.filter(({ attempt }) => attempt !== 1);
  const attempts = await Promise.all(repeated.map(({ id }) => attemptsOf(webhook.id, id)));
  const errors = new Set(attempts.flat().flatMap(({ error }) => error ?? []));
  expect([...errors].filter((error) => error !== RELEASED)).toStrictEqual([]);
  expect(repeated.length).toBeGreaterThan(0);
  const received = new Set(endpoint.received.map(({ headers }) => headers['webhook-id']));
  expect(received.size).toBe(2 * stored.length);
}, 900_000);

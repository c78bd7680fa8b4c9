// Webhooks from the outside: endpoints on loopback get what happens, signed; hostile ones harm nobody; a killed service loses
// nothing. The suite launches a system of its own, since endpoints on loopback have to be allowed, and since it breaks it.
import { startSystem, type RunningSystem } from '@kiln/dev/start-system';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { answer, hostile, startEndpoint, startUntrustedEndpoint, type Endpoint } from './support/endpoints.js';
import { KilnClient } from './support/kiln-client.js';

interface Created {
  id: string;
  secret: string;
  url: string;
  active: boolean;
}

interface Delivery {
  id: string;
  event_id: string;
  event_type: string;
  status: string;
  status_code: number | null;
  attempt: number;
  error: string | null;
  response_body: string | null;
  next_attempt_at: string | null;
}

interface Attempt {
  attempt: number;
  status_code: number | null;
  error: string | null;
}

const FILES = 24;
const DEADLINE_MS = 15_000;

/** Waits until `look` answers something. */
async function until<T>(
  look: () => Promise<T | undefined> | T | undefined,
  what: string,
  timeoutMs = 20_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(performance.now() < deadline, `not within ${timeoutMs} ms: ${what}`);
    await delay(25);
  }
}

const typeOf = (body: string) => (JSON.parse(body) as { type: string }).type;

describe('webhooks', () => {
  let system: RunningSystem;
  let client: KilnClient;
  const endpoints: Endpoint[] = [];

  before(async () => {
    system = await startSystem({
      environment: { KILN_OUTBOUND_ALLOW: '127.0.0.1', KILN_RATE_LIMIT_RPS: '10000', KILN_RATE_LIMIT_BURST: '10000' },
    });
    client = await KilnClient.of(system.baseUrl, system.apiKey);
  });
  after(async () => {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    await system.stop();
  });

  async function endpointThat(behaviour = answer(204)): Promise<Endpoint> {
    const endpoint = await startEndpoint(behaviour);
    endpoints.push(endpoint);
    return endpoint;
  }

  async function webhookTo(url: string, events: string[] = ['*']): Promise<Created> {
    const { status, body } = await client.post<Created>('/v1/webhooks', { url, events });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  const remove = ({ id }: Created) => client.request('DELETE', `/v1/webhooks/${id}`);
  const deliveriesOf = async ({ id }: Created, query = '') =>
    // While the service is away there are none to see.
    (await client.get<{ deliveries?: Delivery[] }>(`/v1/webhooks/${id}/deliveries${query}`)).body.deliveries ?? [];
  const store = (name: string) => client.upload(name, 'content', { skip_processing: 'true' });

  it('tell an endpoint of a file from upload to completion, signed as the standard says', async () => {
    const endpoint = await endpointThat();
    const webhook = await webhookTo(endpoint.url, ['file.created', 'file.processing.completed', 'variant.ready']);
    const { body: file } = await client.upload('told.md', '# Told\n\nA heron.');
    const got = await until(
      () => endpoint.received.find(({ body }) => typeOf(body) === 'file.processing.completed'),
      'the file is completed and the endpoint told',
    );
    const payload = new Webhook(webhook.secret).verify(got.body, got.headers as Record<string, string>) as {
      id: string;
      org_id: string;
      data: { file_id: string; job_id: string; filename: string; variants: string[]; provider: string };
    };
    assert.equal(payload.id, got.headers['webhook-id']);
    assert.deepEqual(
      [payload.data.file_id, payload.data.job_id, payload.data.filename, payload.data.provider],
      [file.id, file.job_id, 'told.md', 'document_extractor'],
    );
    assert.ok(payload.data.variants.includes('markdown'));
    assert.equal(payload.org_id, (await client.get('/v1/me')).body['org_id']);
    const types = await until(() => {
      const seen = endpoint.received.map(({ body }) => typeOf(body));
      return seen.length >= 5 ? seen.sort() : undefined;
    }, 'created, three variants, completed');
    assert.deepEqual(types, [
      'file.created',
      'file.processing.completed',
      'variant.ready',
      'variant.ready',
      'variant.ready',
    ]);
    const { body } = await client.get<{ events: { id: string; delivered: boolean; webhook_id: string }[] }>(
      '/v1/webhook-events?event_type=file.processing.completed&limit=1',
    );
    assert.deepEqual([body.events[0]?.id, body.events[0]?.webhook_id], [payload.id, webhook.id]);
    await remove(webhook);
  });

  it('are refused where they lead to a private address or over plain http, whatever the spelling', async () => {
    for (const url of [
      'https://10.0.0.1/',
      'https://169.254.169.254/latest/meta-data/',
      'https://[::1]/',
      'https://[::ffff:10.0.0.1]/',
      'https://0x0a000001/',
      'https://167772161/',
      'https://[64:ff9b::a00:1]/',
      'https://100.64.0.1/',
      'http://example.com/',
      'ftp://example.com/',
      'nonsense',
    ]) {
      const { status, body } = await client.post('/v1/webhooks', { url, events: ['*'] });
      assert.equal(status, 400, url);
      assert.match(String(body['error']), /^url: /, url);
    }
    const { status, body } = await client.post('/v1/webhooks', { url: 'https://example.com/', events: ['file.eaten'] });
    assert.deepEqual([status, String(body['error']).startsWith('events[0]: must be one of')], [400, true]);
  });

  it('are changed, switched off and on, rotated, tested, listed and deleted', async () => {
    const endpoint = await endpointThat();
    const webhook = await webhookTo(endpoint.url);
    assert.match(webhook.secret, /^whsec_/);
    const path = `/v1/webhooks/${webhook.id}`;
    const changed = await client.request<Created & { events: string[] }>('PATCH', path, {
      json: { events: ['job.failed'] },
    });
    assert.deepEqual([changed.status, changed.body.events, changed.body.url], [200, ['job.failed'], endpoint.url]);
    assert.ok(!('secret' in changed.body));
    const off = await client.request<Created>('PATCH', path, { json: { active: false } });
    assert.equal(off.body.active, false);
    await client.request('PATCH', path, { json: { active: true } });
    const { body: all } = await client.get<{ webhooks: Created[] }>('/v1/webhooks');
    assert.ok(all.webhooks.some(({ id, ...rest }) => id === webhook.id && !('secret' in rest)));

    const rotated = await client.request<{ id: string; secret: string }>('POST', `${path}/rotate-secret`);
    assert.deepEqual([rotated.status, rotated.body.id], [200, webhook.id]);
    const tested = await client.request<Delivery>('POST', `${path}/test`);
    assert.deepEqual([tested.status, tested.body.event_type], [200, 'webhook.test']);
    const got = await until(() => endpoint.received[0], 'the test event arrives');
    assert.ok(new Webhook(rotated.body.secret).verify(got.body, got.headers as Record<string, string>));
    assert.throws(() => new Webhook(webhook.secret).verify(got.body, got.headers as Record<string, string>));

    assert.deepEqual((await client.request('DELETE', path)).body, { deleted: true });
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
    ] as const) {
      const json = method === 'PATCH' ? { json: {} } : {};
      assert.equal((await client.request(method, path + suffix, json)).status, 404, method + suffix);
    }
  });

  it('replay a window of events under their ids, filtered by type', async () => {
    const endpoint = await endpointThat();
    const webhook = await webhookTo(endpoint.url);
    const since = new Date(Date.now() - 1_000).toISOString();
    for (let index = 0; index < 3; index++) await store(`replayed-${index}.txt`);
    await client.request('POST', `/v1/webhooks/${webhook.id}/test`);
    await until(() => (endpoint.received.length === 4 ? true : undefined), 'three files and a test are told');
    const ids = (received: Endpoint['received']) =>
      received
        .filter(({ body }) => typeOf(body) === 'file.created')
        .map(({ headers }) => String(headers['webhook-id']))
        .sort();
    const first = ids(endpoint.received);
    endpoint.received.length = 0;
    const { status, body } = await client.post(`/v1/webhooks/${webhook.id}/replay`, {
      since,
      event_types: ['file.created'],
    });
    assert.deepEqual([status, body], [200, { replayed: 3, skipped: 1 }]);
    await until(() => (endpoint.received.length === 3 ? true : undefined), 'they are told again');
    assert.deepEqual(ids(endpoint.received), first);
    assert.equal((await client.post(`/v1/webhooks/${webhook.id}/replay`, { since: 'yesterday' })).status, 400);
    await remove(webhook);
  });

  it('reach a healthy endpoint while attempts at hostile ones hang, and the log of each of those says why it failed', async () => {
    const bad = new Map<string, Created>();
    for (const [name, behaviour] of Object.entries(hostile)) {
      bad.set(name, await webhookTo((await endpointThat(behaviour)).url, ['file.created']));
    }
    let ended = 0;
    const hanging = await endpointThat((response) => void response.on('close', () => ended++));
    bad.set('never answers', await webhookTo(hanging.url, ['file.created']));
    const untrusted = await startUntrustedEndpoint();
    endpoints.push(untrusted);
    bad.set('has an untrusted certificate', await webhookTo(untrusted.url, ['file.created']));
    bad.set('is not there', await webhookTo('http://127.0.0.1:9/', ['file.created']));
    const healthy = await endpointThat();
    const webhook = await webhookTo(healthy.url, ['file.created']);

    await Promise.all(Array.from({ length: FILES }, (_, index) => store(`beside-${index}.txt`)));
    await until(
      () => (healthy.received.length >= FILES && hanging.received.length > 0 ? true : undefined),
      'every event arrives at the healthy endpoint, and one at the endpoint that never answers',
    );
    assert.equal(ended, 0, 'the healthy endpoint waited for an attempt that hangs');
    const delivered = await until(async () => {
      const found = await deliveriesOf(webhook, '?status=delivered&limit=200');
      return found.length >= FILES ? found : undefined;
    }, 'every outcome is written');
    assert.deepEqual(
      delivered.map(({ attempt }) => attempt),
      Array.from({ length: FILES }, () => 1),
    );

    const words: Record<string, RegExp> = {
      'never answers': /did not answer in full within 15 s/,
      'answers one byte a second': /did not answer in full within 15 s/,
      'closes in the middle of its answer': /closed the connection/,
      'answers 500': /answered 500/,
      'redirects to itself': /307; redirects are not followed/,
      'has an untrusted certificate': /certificate of the endpoint is not accepted/,
      'is not there': /refused the connection/,
    };
    for (const [name, word] of Object.entries(words)) {
      const created = bad.get(name);
      assert.ok(created);
      const failed = await until(
        async () => (await deliveriesOf(created, '?limit=200')).find(({ error }) => error !== null),
        name,
        DEADLINE_MS + 10_000,
      );
      assert.match(failed.error ?? '', word, name);
      assert.notEqual(failed.status, 'delivered', name);
    }
    const large = bad.get('answers with 10 MB');
    assert.ok(large);
    const [cutOff] = await until(async () => {
      const found = await deliveriesOf(large, '?status=delivered');
      return found.length > 0 ? found : undefined;
    }, 'a large answer counts by its status');
    assert.equal(cutOff?.response_body?.length, 1_024);
    assert.equal(untrusted.received.length, 0);
    for (const created of [webhook, ...bad.values()]) await remove(created);
  });

  it('are switched off by 410, and another webhook is told', async () => {
    const watcher = await endpointThat();
    const watching = await webhookTo(watcher.url, ['webhook.disabled']);
    const gone = await endpointThat(answer(410));
    const webhook = await webhookTo(gone.url, ['file.created']);
    await store('to-nobody.txt');
    const told = await until(() => watcher.received[0], 'the other webhook is told');
    const { data } = JSON.parse(told.body) as { data: Record<string, unknown> };
    assert.deepEqual([data['webhook_id'], data['url'], data['reason']], [webhook.id, gone.url, 'gone']);
    const { body } = await client.get<Created & { disabled_reason: string }>(`/v1/webhooks/${webhook.id}`);
    assert.deepEqual([body.active, body.disabled_reason], [false, 'gone']);
    assert.equal(gone.received.length, 1);
    await remove(watching);
    await remove(webhook);
  });

  it('lose nothing when the service is killed in the middle of an attempt, and the log says so', async () => {
    const endpoint = await endpointThat(() => {});
    const webhook = await webhookTo(endpoint.url, ['file.created']);
    await store('survivor.txt');
    await until(() => endpoint.received[0], 'the attempt is under way');
    const service = system.runJson().services.find(({ name }) => name === 'webhooks');
    assert.ok(service);
    process.kill(service.pid, 'SIGKILL');
    endpoint.behave(answer(204));
    const [delivery] = await until(
      async () => {
        const found = await deliveriesOf(webhook, '?status=delivered');
        return found.length > 0 ? found : undefined;
      },
      'it is delivered by the next process',
      60_000,
    );
    assert.equal(delivery?.attempt, 2);
    const { body } = await client.get<{ attempts: Attempt[] }>(`/v1/webhooks/${webhook.id}/deliveries/${delivery.id}`);
    assert.match(body.attempts[0]?.error ?? '', /is not known/);
    assert.deepEqual([body.attempts.length, body.attempts[1]?.status_code], [2, 204]);
    assert.equal(endpoint.received[0]?.headers['webhook-id'], endpoint.received[1]?.headers['webhook-id']);
    await remove(webhook);
  });
});

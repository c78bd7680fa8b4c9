// Webhooks over HTTP: endpoints receive signed events, and hostile endpoints do not affect others.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { answer, hostile, startEndpoint, startUntrustedEndpoint, type Endpoint } from './support/endpoints.js';
import { bodyOf, type KilnClient } from './support/kiln-client.js';
import { systemUnderTest, type SystemUnderTest } from './support/system.config.js';

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

const FILES = 24;

/** Waits until `look` returns a value. */
async function until<T>(
  look: () => Promise<T | undefined> | T | undefined,
  what: string,
  timeoutMs = 120_000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() >= deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`);
    await delay(25);
  }
}

const typeOf = (body: string) => (JSON.parse(body) as { type: string }).type;

describe('webhooks', () => {
  let system: SystemUnderTest;
  let client: KilnClient;
  const endpoints: Endpoint[] = [];

  beforeAll(async () => {
    system = await systemUnderTest();
    client = await system.newClient();
  });
  afterAll(async () => {
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    await system.stop();
  });

  async function endpointThat(behaviour = answer(204)): Promise<Endpoint> {
    const endpoint = await startEndpoint(behaviour);
    endpoints.push(endpoint);
    return endpoint;
  }

  async function webhookTo(url: string, events: string[] = ['*']): Promise<Created> {
    return bodyOf(await client.post<Created>('/v1/webhooks', { url, events }), 201);
  }

  const remove = ({ id }: Created) => client.request('DELETE', `/v1/webhooks/${id}`);
  const deliveriesOf = async ({ id }: Created, query = '') =>
    bodyOf(await client.get<{ deliveries: Delivery[] }>(`/v1/webhooks/${id}/deliveries${query}`), 200).deliveries;
  const store = (name: string) => client.upload(name, 'content', { skip_processing: 'true' });

  it('send an endpoint the events of a file from upload to completion, signed according to the standard', async () => {
    const endpoint = await endpointThat();
    const webhook = await webhookTo(endpoint.url, ['file.created', 'file.processing.completed', 'variant.ready']);
    const labels = { external_id: 'heron-1', metadata: { bird: 'heron' } };
    const fields = { ...labels, metadata: JSON.stringify(labels.metadata) };
    const { body: file } = await client.upload('herons.md', '# Herons\n\nA heron.', fields);
    const got = await until(
      () => endpoint.received.find(({ body }) => typeOf(body) === 'file.processing.completed'),
      'the file is completed and the endpoint has its events',
    );
    const payload = new Webhook(webhook.secret).verify(got.body, got.headers as Record<string, string>) as {
      id: string;
      org_id: string;
      data: { variants: string[] };
    };
    expect(payload.id).toBe(got.headers['webhook-id']);
    const about = { file_id: file.id, job_id: file.job_id, filename: 'herons.md', provider: 'document_extractor' };
    expect(payload.data).toMatchObject({ ...about, ...labels });
    expect(payload.data.variants).toContain('markdown');
    expect(payload.org_id).toBe((await client.get('/v1/me')).body['org_id']);
    const types = await until(() => {
      const seen = endpoint.received.map(({ body }) => typeOf(body));
      return seen.length >= 3 ? seen.sort() : undefined;
    }, 'created, variants ready, completed');
    expect(types).toStrictEqual(['file.created', 'file.processing.completed', 'variant.ready']);
    const { body } = await client.get<{ events: { id: string; delivered: boolean; webhook_id: string }[] }>(
      '/v1/webhook-events?event_type=file.processing.completed&limit=1',
    );
    expect([body.events[0]?.id, body.events[0]?.webhook_id]).toStrictEqual([payload.id, webhook.id]);
    await remove(webhook);
  });

  it.each([
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
  ])('are rejected for private addresses and plain http, in any notation: %s', async (url) => {
    const { error } = bodyOf(await client.post<{ error: string }>('/v1/webhooks', { url, events: ['*'] }), 400);
    expect(error).toMatch(/^url /);
  });

  it('are rejected for unknown events', async () => {
    const webhook = { url: 'https://example.com/', events: ['file.eaten'] };
    const { error } = bodyOf(await client.post<{ error: string }>('/v1/webhooks', webhook), 400);
    expect(error).toMatch(/^events\[0\] must be one of/);
  });

  it('can be changed, disabled and enabled, rotated, tested, listed and deleted', async () => {
    const endpoint = await endpointThat();
    const webhook = await webhookTo(endpoint.url);
    expect(webhook.secret).toMatch(/^whsec_/);
    const path = `/v1/webhooks/${webhook.id}`;
    const changed = await client.request<Created & { events: string[] }>('PATCH', path, {
      json: { events: ['job.failed'] },
    });
    expect([changed.status, changed.body.events, changed.body.url]).toStrictEqual([200, ['job.failed'], endpoint.url]);
    expect(changed.body).not.toHaveProperty(['secret']);
    const off = await client.request<Created>('PATCH', path, { json: { active: false } });
    expect(off.body.active).toBe(false);
    await client.request('PATCH', path, { json: { active: true } });
    const { body: all } = await client.get<{ webhooks: Created[] }>('/v1/webhooks');
    const listed = all.webhooks.find(({ id }) => id === webhook.id);
    expect(listed).toBeDefined();
    expect(listed).not.toHaveProperty('secret');

    const rotated = await client.request<{ id: string; secret: string }>('POST', `${path}/rotate-secret`);
    expect([rotated.status, rotated.body.id]).toStrictEqual([200, webhook.id]);
    const tested = await client.request<Delivery>('POST', `${path}/test`);
    expect([tested.status, tested.body.event_type]).toStrictEqual([200, 'webhook.test']);
    const got = await until(() => endpoint.received[0], 'the test event arrives');
    expect(new Webhook(rotated.body.secret).verify(got.body, got.headers as Record<string, string>)).toBeTruthy();
    expect(() => new Webhook(webhook.secret).verify(got.body, got.headers as Record<string, string>)).toThrow();

    expect((await client.request('DELETE', path)).body).toStrictEqual({ deleted: true });
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/deliveries'],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
    ] as const) {
      const json = method === 'PATCH' ? { json: {} } : {};
      bodyOf(await client.request(method, path + suffix, json), 404);
    }
  });

  it('replay a window of events under their ids, filtered by type', async () => {
    const endpoint = await endpointThat();
    const webhook = await webhookTo(endpoint.url);
    const since = new Date(Date.now() - 1_000).toISOString();
    for (let index = 0; index < 3; index++) await store(`replayed-${index}.txt`);
    await client.request('POST', `/v1/webhooks/${webhook.id}/test`);
    await until(() => (endpoint.received.length === 4 ? true : undefined), 'three files and a test are delivered');
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
    expect([status, body]).toStrictEqual([200, { replayed: 3, skipped: 1 }]);
    await until(() => (endpoint.received.length === 3 ? true : undefined), 'they are delivered again');
    expect(ids(endpoint.received)).toStrictEqual(first);
    expect((await client.post(`/v1/webhooks/${webhook.id}/replay`, { since: 'yesterday' })).status).toBe(400);
    await remove(webhook);
  });

  it('reach a healthy endpoint while attempts at hostile ones hang, and the log of each has the reason of the failure', async () => {
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

    let files = 0;
    // The hanging attempts do not end, so the healthy endpoint does not wait for them. A busy machine may need longer than an attempt.
    for (let before = -1; before !== ended;) {
      before = ended;
      await Promise.all(Array.from({ length: FILES }, () => store(`beside-${files++}.txt`)));
      await until(
        () => (healthy.received.length >= files && hanging.received.length > 0 ? true : undefined),
        'every event arrives at the healthy endpoint, and one at the endpoint that never answers',
      );
    }
    const delivered = await until(async () => {
      const found = await deliveriesOf(webhook, '?status=delivered&limit=200');
      return found.length >= files ? found : undefined;
    }, 'every outcome is written');
    expect(delivered.map(({ attempt }) => attempt)).toStrictEqual(Array.from({ length: files }, () => 1));

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
      if (!created) throw new Error('no created');
      const failed = await until(
        async () => (await deliveriesOf(created, '?limit=200')).find(({ error }) => error !== null),
        name,
      );
      expect(failed.error).toMatch(word);
      expect(failed.status).not.toBe('delivered');
    }
    const large = bad.get('answers with 10 MB');
    if (!large) throw new Error('no large');
    const [cutOff] = await until(async () => {
      const found = await deliveriesOf(large, '?status=delivered');
      return found.length > 0 ? found : undefined;
    }, 'a large answer counts by its status');
    expect(cutOff?.response_body?.length).toBe(1_024);
    expect(untrusted.received).toHaveLength(0);
    for (const created of [webhook, ...bad.values()]) await remove(created);
  });

  it('are disabled by 410, and another webhook receives the event', async () => {
    const watcher = await endpointThat();
    const watching = await webhookTo(watcher.url, ['webhook.disabled']);
    const gone = await endpointThat(answer(410));
    const webhook = await webhookTo(gone.url, ['file.created']);
    await store('undelivered.txt');
    const received = await until(() => watcher.received[0], 'the other webhook receives the event');
    const { data } = JSON.parse(received.body) as { data: Record<string, unknown> };
    expect([data['webhook_id'], data['url'], data['reason']]).toStrictEqual([webhook.id, gone.url, 'gone']);
    const { body } = await client.get<Created & { disabled_reason: string }>(`/v1/webhooks/${webhook.id}`);
    expect([body.active, body.disabled_reason]).toStrictEqual([false, 'gone']);
    expect(gone.received).toHaveLength(1);
    await remove(watching);
    await remove(webhook);
  });
});

/** @slow */
// Real: gateway process, Postgres, NATS with JetStream, Redis, object store. FAKES: the services (responders on the real bus).
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cloudEventSchema, filesOperations, gatewayEvents, type LoggedRequest } from '@kiln/contracts';
import { connectBus, createLogger, eventStream, eventSubject, statement, type NatsConnection } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { startFakes, type FakeServices } from '../test/fake-services.js';
import {
  GatewayProcess,
  TEST_KEY,
  openDatabase,
  testSurroundings,
  type TestSurroundings,
} from '../test/gateway-process.js';

describe('the request log of a gateway', () => {
  let surroundings: TestSurroundings;
  let fakes: FakeServices;
  let gateway: GatewayProcess;
  let connection: NatsConnection;
  const logged: LoggedRequest[] = [];
  const seen = new Set<string>();

  beforeAll(async () => {
    surroundings = await testSurroundings();
    fakes = await startFakes(surroundings);
    const { infrastructure, namespace } = surroundings;
    const logger = createLogger({ service: 'test', role: 'all', level: 'silent' });
    connection = await connectBus({ url: infrastructure.natsUrl, name: 'test', logger });
    connection.subscribe(eventSubject(namespace, gatewayEvents.requestsLogged.type), {
      callback: (_error, message) => {
        const { data } = cloudEventSchema.parse(message.json());
        // An entry may come again if the broker was slow to accept it.
        for (const request of gatewayEvents.requestsLogged.data.parse(data).requests) {
          if (!seen.has(request.id)) logged.push(request);
          seen.add(request.id);
        }
      },
    });
    gateway = await GatewayProcess.start(surroundings);
  });
  afterAll(async () => {
    await gateway.stop();
    await connection.close();
    await fakes.stop();
    await surroundings.close();
  });

  it('has one entry for each request of a known key, with its status, and none for strangers', async () => {
    await gateway.fetch('/v1/files?limit=3');
    await gateway.fetch('/v1/files/file_0');
    await gateway.fetch('/v1/files', { headers: { authorization: `ApiKey kiln_live_${'Z'.repeat(43)}` } });
    await gateway.fetch('/livez');
    await eventually(() => logged.length >= 2);
    expect(await gateway.stop()).toBe(0);
    expect(logged.map(({ method, path, status, auth_type }) => [method, path, status, auth_type])).toStrictEqual([
      ['GET', '/v1/files', 200, 'api_key'],
      ['GET', '/v1/files/file_0', 404, 'api_key'],
    ]);
  });

  it('has one entry for each request whose caller left before the response, when what was asked for is done', async () => {
    gateway = await GatewayProcess.start(surroundings);
    logged.length = 0;
    const { id } = (await (await gateway.post('/v1/upload', { filename: 'a.txt' })).json()) as { id: string };
    const left = new AbortController();
    let finish = () => {};
    const asked = new Promise<void>((resolve) => {
      fakes.override(filesOperations.deleteFile, () => {
        resolve();
        return new Promise((done) => (finish = () => done({ deleted: true })));
      });
    });
    const deletion = fetch(`${gateway.url}/v1/files/${id}`, {
      method: 'DELETE',
      headers: { authorization: `ApiKey ${TEST_KEY}` },
      signal: left.signal,
    }).catch(() => undefined);
    await asked;
    left.abort();
    await deletion;
    await eventually(() => gateway.logs.some(({ method, status }) => method === 'DELETE' && status === 499));
    finish();
    fakes.reset();
    expect(await gateway.stop()).toBe(0);
    await eventually(() => logged.length >= 2);
    expect(logged.map(({ method, path, status, key_name }) => [method, path, status, key_name])).toStrictEqual([
      ['POST', '/v1/upload', 201, 'bootstrap'],
      ['DELETE', `/v1/files/${id}`, 499, 'bootstrap'],
    ]);
  });

  it('arrives although the streams of events were lost, which the gateway says until it has made them again', async () => {
    gateway = await GatewayProcess.start(surroundings);
    logged.length = 0;
    const stream = eventStream(surroundings.namespace);
    await connection.request(`$JS.API.STREAM.DELETE.${stream}`, '', { timeout: 60_000 });
    const events = async () => {
      const response = await gateway.fetch('/readyz');
      const { checks } = (await response.json()) as { checks: Record<string, string> };
      return [response.status, checks['events']];
    };
    await eventually(async () => expect(await events()).toStrictEqual([200, 'failed']));
    await gateway.fetch('/v1/files');
    await eventually(async () => expect(await events()).toStrictEqual([200, 'ok']));
    const info = await connection.request(`$JS.API.STREAM.INFO.${stream}`, '', { timeout: 60_000 });
    const { state } = info.json<{ state: { messages: number } }>();
    expect(state.messages).toBeGreaterThanOrEqual(1);
    expect(await gateway.stop()).toBe(0);
  });

  it('shows no portal token that stood in a path, nor do the log lines and the answers of the gateway', async () => {
    gateway = await GatewayProcess.start(surroundings);
    logged.length = 0;
    const made = await gateway.post('/v1/portal/tokens', { space: 'customer-42' });
    const { token } = (await made.json()) as { token: string };
    const path = `/v1/portal/tokens/${token}`;
    const stranger = { authorization: `ApiKey kiln_live_${'Z'.repeat(43)}` };
    const asked: [method: string, path: string, headers: Record<string, string>][] = [
      ['GET', `${path}/verify`, {}],
      ['PUT', path, {}],
      ['GET', `${path}/nothing`, {}],
      ['DELETE', path, stranger],
      ['DELETE', `${path}?why=done`, {}],
      ['DELETE', path, {}],
    ];
    const answers = [];
    for (const [method, target, headers] of asked) {
      const response = await gateway.fetch(target, { method, headers });
      answers.push({ status: response.status, text: await response.text() });
    }
    const metrics = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
    expect(await gateway.stop()).toBe(0);
    await eventually(() => logged.length >= 3);
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 405, 404, 401, 200, 404]);
    expect(logged.map(({ method, path: shown, status }) => [method, shown, status])).toStrictEqual([
      ['POST', '/v1/portal/tokens', 201],
      ['DELETE', '/v1/portal/tokens/:token', 200],
      ['DELETE', '/v1/portal/tokens/:token', 404],
    ]);
    const seen = JSON.stringify([logged, gateway.logs, gateway.errors, answers, metrics]);
    expect(seen).not.toContain(token);
  });

  it('sends before it ends what it still holds, the refusal of a revoked key included', async () => {
    gateway = await GatewayProcess.start(surroundings);
    logged.length = 0;
    const database = await openDatabase(surroundings);
    await database.query(statement('test.revoke', 'update api_keys set revoked_at = now()'));
    await database.close();
    expect((await gateway.fetch('/v1/jobs/job_0')).status).toBe(401);
    expect(await gateway.stop()).toBe(0);
    await eventually(() => logged.length > 0);
    expect(logged.map(({ path, status, key_name }) => [path, status, key_name])).toStrictEqual([
      ['/v1/jobs/job_0', 401, 'bootstrap'],
    ]);
  });
});

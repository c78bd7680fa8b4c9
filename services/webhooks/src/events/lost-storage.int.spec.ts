// Real: the service as its own process, Postgres, a NATS server with JetStream whose storage is removed. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  connectBus,
  createLogger,
  eventStream,
  eventSubject,
  type NatsConnection,
  type Readiness,
} from '@kiln/platform';
import { eventually, startOwnNats, startTestService, type OwnNats, type TestService } from '@kiln/testing';

const RECOVERY_MS = 60_000;
const logger = createLogger({ service: 'test', role: 'all', level: 'error' }, { write: () => {} });

describe('a service whose broker has lost its storage', () => {
  let nats: OwnNats;
  let service: TestService;
  let operator: NatsConnection;
  beforeAll(async () => {
    nats = await startOwnNats();
    service = await startTestService({ name: 'webhooks', role: 'all', environment: { NATS_URL: nats.url } });
    operator = await connectBus({ url: nats.url, name: 'operator', logger });
  });
  afterAll(async () => {
    await operator.close();
    await service.stop();
    await nats.stop();
  });

  const readiness = async () => (await (await fetch(`${service.healthUrl}/readyz`)).json()) as Readiness;
  /** Sends a request to JetStream. Throws if JetStream refuses it. */
  const ask = async <Answer>(request: string, body: object = {}): Promise<Answer> => {
    const answer = await operator.request(`$JS.API.${request}`, JSON.stringify(body), { timeout: 5_000 });
    const result = answer.json<Answer & { error?: { description: string } }>();
    if (result.error) throw new Error(result.error.description);
    return result;
  };
  const stream = () => eventStream(service.namespace);
  const consumers = async () =>
    (await ask<{ consumers: string[] | null }>(`CONSUMER.NAMES.${stream()}`)).consumers?.toSorted();

  it('has its streams and consumers again without a restart', async () => {
    const before = await eventually(consumers);
    expect(before?.length).toBeGreaterThan(1);
    await nats.loseStorage();
    await eventually(async () => expect(await consumers()).toStrictEqual(before), { timeoutMs: RECOVERY_MS });
    await eventually(async () => expect((await readiness()).checks.events).toBe('ok'), { timeoutMs: RECOVERY_MS });
  });

  it('says in /readyz that events stand still for as long as they cannot be made again, and serves calls meanwhile', async () => {
    const before = await eventually(consumers);
    // No other stream may have the subjects of this one.
    const inItsPlace = { name: 'IN_ITS_PLACE', subjects: [eventSubject(service.namespace, '>')] };
    await eventually(async () => {
      const removed = ask(`STREAM.DELETE.${stream()}`).catch(() => undefined);
      await Promise.all([removed, ask(`STREAM.CREATE.${inItsPlace.name}`, inItsPlace)]);
    });
    await eventually(async () => expect((await readiness()).checks.events).toBe('failed'), { timeoutMs: RECOVERY_MS });
    await eventually(async () => expect((await readiness()).ready).toBe(true));
    await ask(`STREAM.DELETE.${inItsPlace.name}`);
    await eventually(async () => expect((await readiness()).checks.events).toBe('ok'), { timeoutMs: RECOVERY_MS });
    await eventually(async () => expect(await consumers()).toStrictEqual(before), { timeoutMs: RECOVERY_MS });
  });
});

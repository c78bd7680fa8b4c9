// Real: a NATS server with the users of nats-users.conf, and the bus of the platform. Faked: the handlers of the services.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  CONTEXT_HEADER,
  encodeId,
  filesOperations,
  jobsOperations,
  type CallContext,
  type Operation,
} from '@kiln/contracts';
import { eventually } from '@kiln/dev';
import {
  assertSubscribed,
  createLogger,
  ensureStreams,
  eventStream,
  Metrics,
  PublicEventFeed,
  publicEventSubject,
  RpcClient,
  RpcServer,
  rpcSubject,
  STREAM_KEEPER,
  type NatsConnection,
} from '@kiln/platform';
import { headers } from '@nats-io/transport-node';
import { busAccess } from './bus-access.js';
import { NAMESPACE as namespace, permissionsOf } from './permissions.js';
import { TestBroker, type TestUser } from './test-broker.js';

const logger = createLogger({ service: 'test', role: 'all', level: 'error' }, { write: () => undefined });
const tenantId = '01938a10-5000-7000-8000-000000000001';
const context = (): CallContext => ({
  requestId: 'r',
  tenantId,
  mode: 'live',
  principal: 'p',
  deadlineAt: Date.now() + 60_000,
});
const fileId = encodeId('file', tenantId);
/** A subject that the pattern covers. */
const example = (pattern: string) => pattern.replace('>', 'x').replaceAll('*', 'x');

let broker: TestBroker;
let operator: TestUser;
beforeAll(async () => {
  broker = await TestBroker.start();
  operator = await broker.login('operator');
  await ensureStreams({ connection: operator.connection, namespace, replicas: 1 });
});
afterAll(() => broker.stop());

describe.each(busAccess.map((access) => [access.service, permissionsOf(access)] as const))(
  'a connection of %s',
  (service, { publish, subscribe }) => {
    let user: TestUser;
    beforeAll(async () => {
      user = await broker.login(service);
    });

    it('may use every subject of its list', async () => {
      for (const pattern of subscribe) user.connection.subscribe(pattern);
      await assertSubscribed(user.connection);
      // Creating a consumer without its configuration is an error of JetStream, not of the permissions.
      expect(await user.refusedOf(publish.map(example))).toStrictEqual([]);
    });

    it('is refused the operations, events, consumers and replies of another service, and the deletion of a stream', async () => {
      const [other = ''] = busAccess.map((access) => access.service).filter((name) => name !== service);
      const stream = eventStream(namespace);
      const foreign = [
        `${namespace}.rpc.${other}.unknown.v1`,
        `${namespace}.events.unknown`,
        `${namespace}.wake.${other}.work`,
        `${namespace}.dead.${other}-outbox`,
        `_INBOX.${other}.process.1`,
        `_INBOX.gateway.unknown.process.1`,
        `$JS.API.CONSUMER.CREATE.${stream}.${other}-unknown.${namespace}.events.unknown`,
        `$JS.API.CONSUMER.MSG.NEXT.${stream}.${other}-unknown`,
        `$JS.API.CONSUMER.DELETE.${stream}.${other}-unknown`,
        `$JS.API.STREAM.DELETE.${stream}`,
        ...(service === STREAM_KEEPER ? [] : [`$JS.API.STREAM.PURGE.${stream}`]),
        `$JS.API.STREAM.CREATE.OTHER`,
        '$SYS.REQ.SERVER.PING',
      ];
      expect(await user.refusedOf(foreign)).toStrictEqual(foreign);
      expect(user.refusedCount).toBe(foreign.length);
    });

    it('does not start with a subscription that it is refused', async () => {
      const spy = await broker.login(service);
      spy.connection.subscribe('_INBOX.>');
      await expect(assertSubscribed(spy.connection)).rejects.toThrow(/may not subscribe to _INBOX\.>/);
    });
  },
);

describe('the services, each with its login', () => {
  async function answer(service: string, operation: Operation, handler: () => Promise<unknown>) {
    const { connection } = await broker.login(service);
    const metrics = new Metrics(service, 'all');
    const server = new RpcServer({ connection, namespace, service, logger, metrics });
    server.listen(operation, handler);
    await assertSubscribed(connection);
    return connection;
  }
  const clientOf = async (service: string) => new RpcClient((await broker.login(service)).connection, namespace);

  it('answer a caller that may call, and a caller that may not gets INTERNAL_ERROR at once', async () => {
    let calls = 0;
    await answer('jobs', jobsOperations.countJobs, () => {
      calls++;
      return Promise.reject(new Error('reached'));
    });
    const count = async (service: string) =>
      (await clientOf(service)).call(jobsOperations.countJobs, {}, context()).catch((error: unknown) => error);
    // The deadline is a minute away.
    expect(await count('webhooks')).toMatchObject({
      code: 'INTERNAL_ERROR',
      cause: {
        message: expect.stringMatching(/Permissions Violation for Publish to "kiln\.rpc\.jobs\.countJobs\.v1"/),
      },
    });
    expect(calls).toBe(0);
    expect(await count('analytics')).toMatchObject({ code: 'INTERNAL_ERROR' });
    expect(calls).toBe(1);
  });

  /** JetStream answers when its disk has. */
  const ask = (connection: NatsConnection, subject: string, payload?: string) =>
    connection.request(subject, payload, { timeout: 60_000 });
  const stream = eventStream(namespace);
  const ownEvent = `${namespace}.events.webhook.disabled`;
  /** The webhooks service stores an event that looks like a call of files, and has JetStream deliver it to another subject. */
  async function deliverTo(subject: string): Promise<void> {
    const { connection } = await broker.login('webhooks');
    const consumer = 'webhooks-webhook-disabled';
    const config = { durable_name: consumer, filter_subject: ownEvent, ack_policy: 'explicit' };
    await ask(operator.connection, `$JS.API.STREAM.PURGE.${stream}`);
    const create = JSON.stringify({ stream_name: stream, config });
    await ask(connection, `$JS.API.CONSUMER.CREATE.${stream}.${consumer}.${ownEvent}`, create);
    const about = headers();
    about.set(CONTEXT_HEADER, `${tenantId} live p 60000 r`);
    await connection.request(ownEvent, JSON.stringify({ id: fileId }), { headers: about, timeout: 60_000 });
    connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, '{"batch":1}', { reply: subject });
  }

  it('carry out no call that a login without the permission makes JetStream deliver', async () => {
    let handled = 0;
    await answer('files', filesOperations.deleteFile, () => {
      handled++;
      return Promise.resolve({ deleted: true });
    });
    const subject = rpcSubject(namespace, filesOperations.deleteFile.subject);
    const delivered: string[] = [];
    operator.connection.subscribe(subject, { callback: (_error, { reply = '' }) => void delivered.push(reply) });
    await operator.connection.flush();
    await deliverTo(subject);
    await eventually(async () => expect(delivered).toHaveLength(1));
    expect(delivered[0]).toMatch(/^\$JS\.ACK\./);
    // A call after it is carried out.
    await (await clientOf('gateway')).call(filesOperations.deleteFile, { id: fileId }, context());
    expect(handled).toBe(1);
  });

  it('have their events stored under their own types, wherever JetStream delivers one', async () => {
    await deliverTo(`${namespace}.events.file.deleted`);
    const stored = async () => {
      const asked = JSON.stringify({ subjects_filter: '>' });
      const info = await ask(operator.connection, `$JS.API.STREAM.INFO.${stream}`, asked);
      return info.json<{ state: { subjects: Record<string, number> } }>().state.subjects;
    };
    // A message that is delivered to a subject of the stream is stored in the stream again.
    await eventually(async () => expect(await stored()).toStrictEqual({ [ownEvent]: 2 }));
  });

  it('create a consumer of the events in its subject only', async () => {
    const { connection } = await broker.login('jobs');
    const consumer = 'jobs-file-deleted';
    const create = async (filters: object) => {
      const config = { durable_name: consumer, ack_policy: 'explicit', ...filters };
      const subject = `$JS.API.CONSUMER.CREATE.${stream}.${consumer}.${namespace}.events.file.deleted`;
      const answered = await ask(connection, subject, JSON.stringify({ stream_name: stream, config }));
      return answered.json<{ error?: { code: number } }>().error?.code;
    };
    const all = `${namespace}.events.>`;
    expect(await create({ filter_subject: all })).toBe(400);
    expect(await create({ filter_subjects: [all] })).toBe(400);
    expect(await create({})).toBe(400);
    expect(await create({ filter_subject: `${namespace}.events.file.deleted` })).toBeUndefined();
  });

  it('create a stream that is lost, and only files changes one that exists', async () => {
    const ages = async () => {
      const { config } = (await ask(operator.connection, `$JS.API.STREAM.INFO.${stream}`)).json<{
        config: { max_age: number };
      }>();
      return config.max_age;
    };
    const ensure = async (service: string, keeps: boolean) =>
      ensureStreams({ connection: (await broker.login(service)).connection, namespace, replicas: 1, keeps });
    await ask(operator.connection, `$JS.API.STREAM.DELETE.${stream}`);
    await ensure('analytics', false);
    const configured = await ages();
    const changed = { name: stream, subjects: [`${namespace}.events.>`], max_age: 1e12, num_replicas: 1 };
    await ask(operator.connection, `$JS.API.STREAM.UPDATE.${stream}`, JSON.stringify(changed));
    expect(await ages()).toBe(1e12);
    await ensure('analytics', false);
    await expect(ensure('analytics', true)).rejects.toThrow(/Permissions Violation/);
    expect(await ages()).toBe(1e12);
    await ensure('files', true);
    expect(await ages()).toBe(configured);
  });

  it('read the public events in the gateway: as they come, by pages and one by one', async () => {
    const feed = new PublicEventFeed((await broker.login('gateway')).connection, namespace);
    const followed: string[] = [];
    const { stop } = await feed.follow({ onEvent: ({ text }) => void followed.push(text), onEnd: () => undefined });
    const { connection } = await broker.login('files');
    await ask(connection, publicEventSubject(namespace, tenantId), 'an event');
    await eventually(async () => expect(followed).toStrictEqual(['an event']));
    const [first] = await feed.page(tenantId, { sequence: 1 }, 10);
    expect(first?.text).toBe('an event');
    expect(await feed.next(tenantId, first?.sequence ?? 0)).toStrictEqual(first);
    stop();
  });
});

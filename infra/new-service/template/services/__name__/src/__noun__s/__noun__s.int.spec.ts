// Real: the compiled service, Postgres, NATS with JetStream. Faked: the files service, which states the event.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  __name__Operations as operations,
  encodeId,
  filesEvents,
  type CallContext,
  type CloudEvent,
  type EventData,
} from '@kiln/contracts';
import { connectBus, createLogger, eventSubject, RpcClient, type NatsConnection } from '@kiln/platform';
import { eventually, startTestService, testNats, type TestService } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';

const silentLogger = createLogger({ service: '__name__', role: 'api', level: 'error' }, { write: () => {} });

const contextOf = (tenantId: string): CallContext => ({
  requestId: 'test',
  tenantId,
  mode: 'live',
  principal: 'test',
  deadlineAt: Date.now() + 60_000,
});

/** As the files service emits it. */
const fileCreated = (
  tenantId: string,
  filename: string,
): CloudEvent<EventData<typeof filesEvents.fileCreated>> => ({
  specversion: '1.0',
  id: uuidv7(),
  source: '/kiln/files',
  type: filesEvents.fileCreated.type,
  time: new Date().toISOString(),
  datacontenttype: 'application/json',
  tenantid: tenantId,
  mode: 'live',
  data: {
    file_id: encodeId('file', uuidv7()),
    job_id: null,
    space: 'default',
    filename,
    content_type: 'application/pdf',
    size_bytes: 10,
    status: 'uploaded',
    external_id: null,
    metadata: {},
  },
});

describe('__noun__s', () => {
  let service: TestService;
  let connection: NatsConnection;
  let rpc: RpcClient;
  beforeAll(async () => {
    service = await startTestService({ name: '__name__' });
    connection = await connectBus({ url: await testNats(), name: 'test', logger: silentLogger });
    rpc = new RpcClient(connection, service.namespace);
  });
  afterAll(async () => {
    await connection.close();
    await service.stop();
  });

  const create = (tenantId: string, name: string, id = encodeId('__noun__', uuidv7())) =>
    rpc.call(operations.create__Noun__, { id, name }, contextOf(tenantId));
  const get = (tenantId: string, id: string) => rpc.call(operations.get__Noun__, { id }, contextOf(tenantId));
  const list = (tenantId: string, limit = 50, cursor?: string) =>
    rpc.call(operations.list__Noun__s, { limit, cursor }, contextOf(tenantId));
  const publish = (event: CloudEvent) =>
    connection.publish(eventSubject(service.namespace, event.type), JSON.stringify(event));

  it('are created once, however often the call is repeated', async () => {
    const tenantId = uuidv7();
    const first = await create(tenantId, 'the first');
    expect(await create(tenantId, 'the first', first.id)).toStrictEqual(first);
    expect(await get(tenantId, first.id)).toStrictEqual(first);
    expect((await list(tenantId)).__noun__s).toStrictEqual([first]);
  });

  it('are invisible to another tenant', async () => {
    const [owner, stranger] = [uuidv7(), uuidv7()];
    const { id } = await create(owner, 'a secret');
    await expect(get(stranger, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await list(stranger)).toStrictEqual({ __noun__s: [], next_cursor: null });
    const { next_cursor: cursor } = await create(owner, 'another').then(() => list(owner, 1));
    await expect(list(stranger, 1, cursor ?? '')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('are listed newest first, page by page, each once', async () => {
    const tenantId = uuidv7();
    for (const name of ['one', 'two', 'three', 'four', 'five']) await create(tenantId, name);
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(tenantId, 2, cursor);
      names.push(...page.__noun__s.map(({ name }) => name));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(names).toStrictEqual(['five', 'four', 'three', 'two', 'one']);
  });

  it('are refused with the path of the field that is invalid', async () => {
    await expect(create(uuidv7(), '')).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'name must not be empty' });
  });

  it('are created once for each created file, although the broker delivers its event five times', async () => {
    const tenantId = uuidv7();
    const event = fileCreated(tenantId, 'report.pdf');
    // Without an id of the message, so that the stream takes each for a new one.
    for (let time = 0; time < 5; time++) publish(event);
    publish(fileCreated(tenantId, 'last.pdf'));
    await eventually(async () => {
      const { __noun__s: listed } = await list(tenantId);
      expect(listed.map(({ name }) => name)).toContain('last.pdf');
    });
    const { __noun__s: listed } = await list(tenantId);
    expect(listed.map(({ name }) => name).toSorted()).toStrictEqual(['last.pdf', 'report.pdf']);
    expect(listed.find(({ name }) => name === 'report.pdf')?.file_id).toBe(event.data.file_id);
  });
});

// Real: NATS with JetStream, Postgres. Faked: the service, as one operation and one consumer. No traces are exported.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { operation } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { consumerName } from '../bus/names.js';
import { RpcClient } from '../bus/rpc-client.js';
import { RpcServer } from '../bus/rpc-server.js';
import { DeadLetters } from '../events/dead-letters.js';
import { EventConsumer } from '../events/event-consumer.js';
import { exactlyOnce } from '../events/inbox.js';
import { newEvent } from '../events/new-event.js';
import { appendEvents } from '../events/outbox.js';
import { OutboxRelay } from '../events/relay.js';
import { defineSample } from '../fixtures/sample-events.js';
import { startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { newTrace } from './log-context.js';
import { createLogger } from './logger.js';

const answer = z.object({ text: z.string() });
const emit = operation({
  subject: 'sample.emit.v1',
  input: answer,
  output: answer,
  errors: [],
  timeoutMs: 60_000,
  idempotent: true,
});
const PAUSE_MS = 20;

interface Line {
  msg: string;
  requestId?: string;
  trace_id?: string;
  eventId?: string;
}

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform.stop());

it('a call, the event that it causes and the retry of its consumer log the request and its trace, with no traces exported', async () => {
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Line);
  const logger = createLogger({ service: 'sample', role: 'all', level: 'info' }, { write });
  const definition = defineSample();
  const tenantId = uuidv7();
  const { database, connection, namespace } = platform;
  const server = new RpcServer({ ...platform, logger });
  server.listen(emit, async (input, { requestId }) => {
    logger.info('called');
    const about = { definition, tenantId, subject: 'sample_1', requestId, data: { name: 'one' } };
    await appendEvents(database, [newEvent(about)]);
    return input;
  });
  const relay = new OutboxRelay({ ...platform, logger });
  relay.start();
  let isFirst = true;
  const handle = exactlyOnce(database, consumerName('sample', definition.type), async () => {
    logger.info('consumed');
    const fails = isFirst;
    isFirst = false;
    if (fails) throw new Error('not yet');
  });
  const deadLetters = new DeadLetters(connection, namespace);
  const consumer = new EventConsumer({ ...platform, logger, deadLetters, pausesMs: [PAUSE_MS] }, definition, handle);
  await consumer.start();
  await connection.flush();
  logger.info('outside');
  const trace = newTrace();
  const context = {
    requestId: 'r1',
    tenantId,
    mode: 'live',
    principal: 'key_1',
    deadlineAt: Date.now() + 60_000,
  } as const;
  await new RpcClient(connection, namespace).call(emit, { text: 'a' }, { ...context, ...trace });
  const of = (text: string) => lines.filter(({ msg }) => msg === text);
  await eventually(() => of('consumed').length === 2);
  const [outside] = of('outside');
  expect([outside?.requestId, outside?.trace_id]).toStrictEqual([undefined, undefined]);
  const traceId = trace.traceparent?.split('-')[1];
  const about = [...of('called'), ...of('event handling failed'), ...of('consumed')];
  expect(about.map(({ requestId, trace_id }) => [requestId, trace_id])).toStrictEqual(about.map(() => ['r1', traceId]));
  expect(new Set(of('consumed').map(({ eventId }) => eventId)).size).toBe(1);
  await consumer.stop();
  await relay.stop();
  await server.drain(60_000);
});

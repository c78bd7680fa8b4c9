// Real: NATS, Nest. Faked: the service, as handlers that a test writes.
import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { conflict, testTenantOf } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DeadLetters } from '../events/dead-letters.js';
import {
  contextFor,
  count,
  counting,
  endless,
  never,
  readAll,
  StreamingEnds,
  type CountHandler,
} from '../fixtures/streaming-ends.js';
import { silentLogger } from '../fixtures/test-platform.js';
import { Metrics } from '../observability/metrics.js';
import type { Database } from '../postgres/database.js';
import { BusServer } from './bus-server.js';
import { NoResponderError } from './requester.js';
import { Stream } from './operation.decorator.js';
import type { StreamContext } from './streaming-server.js';

@Controller()
class SampleController {
  @Stream(count)
  async *count(input: { to: number }, _context: StreamContext) {
    return yield* counting(input);
  }
}

@Module({ controllers: [SampleController] })
class SampleModule {}

describe('a streaming operation over the bus', () => {
  let ends: StreamingEnds;
  beforeEach(() => {
    ends = new StreamingEnds();
  });
  afterEach(() => ends.close());

  it('returns its items in order, then its output, and only the fields that its contract names', async () => {
    await ends.serve(counting);
    const { client } = await ends.startClient();
    const { items, output } = await readAll(client.stream(count, { to: 300 }, contextFor(), never()));
    expect(items).toStrictEqual(Array.from({ length: 300 }, (_, index) => ({ number: index + 1 })));
    expect(output).toStrictEqual({ sum: 45_150 });
  });

  it('waits for a place where it asks for much, while light streams and those of others go on', async () => {
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => (release = resolve));
    const started: string[] = [];
    const { client } = await ends.startClient();
    await ends.serve(async function* ({ to: weight }, { tenantId, asHeavy }) {
      yield { number: 0 };
      await asHeavy(weight, async () => {
        started.push(tenantId);
        if (tenantId === flooding) await released;
      });
      return { sum: weight };
    });
    const [flooding, stranger] = ['01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a11', '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a12'];
    const read = (tenantId: string, weight: number) =>
      readAll(client.stream(count, { to: weight }, { ...contextFor(), tenantId }, never()));
    const flood = Array.from({ length: 6 }, () => read(flooding, 110));
    await eventually(() => expect(started).toHaveLength(2));
    expect((await read(stranger, 110)).output).toStrictEqual({ sum: 110 });
    expect(started).toStrictEqual([flooding, flooding, stranger]);
    release();
    await Promise.all(flood);
    expect(started).toHaveLength(7);
  });

  it('is answered by a method of a Nest controller', async () => {
    const connection = await ends.connect();
    const strategy = new BusServer({
      connection,
      namespace: ends.namespace,
      replicas: 1,
      service: 'sample',
      database: {} as Database,
      deadLetters: new DeadLetters(connection, ends.namespace),
      logger: silentLogger,
      metrics: new Metrics('sample', 'all'),
      operations: [count],
    });
    const application = await NestFactory.createMicroservice(SampleModule, { strategy, logger: false });
    await application.listen();
    const { client } = await ends.startClient();
    const { items, output } = await readAll(client.stream(count, { to: 2 }, contextFor(), never()));
    expect([items, output]).toStrictEqual([[{ number: 1 }, { number: 2 }], { sum: 3 }]);
    await application.close();
  });

  it('ends with the coded error of its handler, before or after items', async () => {
    for (const yields of [0, 2]) {
      const { server } = await ends.serve(async function* failing() {
        for (let number = 1; number <= yields; number++) yield { number };
        throw conflict('It is taken.');
      });
      const { client } = await ends.startClient();
      const stream = client.stream(count, { to: 9 }, contextFor(), never());
      for (let number = 1; number <= yields; number++) expect((await stream.next()).value).toStrictEqual({ number });
      await expect(stream.next()).rejects.toMatchObject({ code: 'CONFLICT', message: 'It is taken.' });
      await server.drain(0);
    }
  });

  it('ends with INTERNAL_ERROR, without details, on an uncoded error and on an item outside its contract', async () => {
    const handlers: CountHandler[] = [
      async function* crashing() {
        yield { number: 1 };
        throw new Error('password=sesame');
      },
      async function* misshaping() {
        yield { number: 1 };
        yield { number: 'sesame' };
      },
    ];
    for (const handler of handlers) {
      const { server } = await ends.serve(handler);
      const { client } = await ends.startClient();
      const error: unknown = await readAll(client.stream(count, { to: 1 }, contextFor(), never())).catch(
        (e: unknown) => e,
      );
      expect(error).toMatchObject({ code: 'INTERNAL_ERROR', message: expect.not.stringMatching(/sesame/) });
      await server.drain(0);
    }
  });

  it('refuses input outside its contract before its handler runs', async () => {
    let ran = false;
    await ends.serve(async function* noting(input) {
      ran = true;
      return yield* counting(input);
    });
    const { client } = await ends.startClient();
    const stream = client.stream(count, { to: 'x' } as unknown as { to: number }, contextFor(), never());
    await expect(stream.next()).rejects.toMatchObject({ code: 'BAD_REQUEST', message: /^to / });
    expect(ran).toBe(false);
  });

  it('is UNAVAILABLE at once when no process of the service runs', async () => {
    const { client } = await ends.startClient();
    const error: unknown = await client
      .stream(count, { to: 1 }, contextFor(), never())
      .next()
      .catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'UNAVAILABLE', cause: expect.any(NoResponderError) });
  });

  it.each([
    ['a caller', 1],
    ['a process that answers', 2],
  ])('limits the live and test streams of an organization to half of those of %s', async (_whose, callers) => {
    await ends.serve(endless());
    const [first, second] = [await ends.startClient(), await ends.startClient()];
    const live = contextFor();
    const test = { ...live, tenantId: testTenantOf(live.tenantId), mode: 'test' } as const;
    const open = Array.from({ length: 258 }, (_, index) => {
      const { client } = index % callers === 0 ? first : second;
      return client.stream(count, { to: 1 }, index < 129 ? live : test, never());
    });
    const opened = await Promise.allSettled(open.map((stream) => stream.next()));
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(256);
    expect(opened.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'RATE_LIMITED' } });
    const other = { ...live, tenantId: '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a11' };
    const stream = first.client.stream(count, { to: 1 }, other, never());
    expect((await stream.next()).value).toStrictEqual({ number: 1 });
    await Promise.all([...open, stream].map((each) => each.return({ sum: 0 })));
  });
});

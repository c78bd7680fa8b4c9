// Real: NATS, Nest, Postgres (the service's own). Faked: the service, as one small controller.
import 'reflect-metadata';
import {
  CodedError,
  conflict,
  CONTEXT_HEADER,
  ERROR_HEADER,
  operation,
  testTenantOf,
  type CallContext,
  type ErrorCode,
} from '@kiln/contracts';
import { headers } from '@nats-io/transport-node';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { z } from 'zod';
import { DeadLetters } from '../events/dead-letters.js';
import { eventually, testNats } from '@kiln/testing';
import { silentLogger, startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { connectBus } from './connection.js';
import { BusServer } from './bus-server.js';
import { CodedErrorFilter } from './coded-error.filter.js';
import { rpcSubject } from './names.js';
import { Operation } from './operation.decorator.js';
import { NoReplyError } from './requester.js';
import { RpcClient } from './rpc-client.js';

/** Of one process. */
const CALLS_AT_ONCE_MAX = 2_000;

const answer = z.object({ text: z.string(), tenantId: z.string() });
const define = (name: string, timeoutMs = 2_000, errors: readonly ErrorCode[] = []) =>
  operation({
    subject: `sample.${name}.v1`,
    input: z.object({ text: z.string() }),
    output: answer,
    errors,
    timeoutMs,
    idempotent: true,
  });
const echo = define('echo');
const refuse = define('refuse', 2_000, ['CONFLICT']);
const surprise = define('surprise');
const leak = define('leak');
const misshape = define('misshape');
const crash = define('crash');
const flood = define('flood');
const sleepy = define('sleepy', 2_000);
const stuck = define('stuck', 60_000);
const nobody = define('nobody');

@Controller()
class SampleController {
  @Operation(echo)
  async echo(input: { text: string }, context: CallContext) {
    return { text: `${input.text} by ${context.principal} in ${context.requestId}`, tenantId: context.tenantId };
  }
  @Operation(refuse)
  async refuse(): Promise<never> {
    throw conflict('It is taken.');
  }
  @Operation(surprise)
  async surprise(): Promise<never> {
    throw conflict('A reason that this operation does not give.');
  }
  @Operation(leak)
  async leak(_input: { text: string }, context: CallContext) {
    return { text: 'shown', tenantId: context.tenantId, secret: 'sesame' };
  }
  @Operation(misshape)
  async misshape() {
    return { text: 7, secret: 'sesame' } as unknown as { text: string; tenantId: string };
  }
  @Operation(crash)
  async crash(): Promise<never> {
    throw new Error('password=sesame');
  }
  @Operation(flood)
  async flood(_input: { text: string }, context: CallContext) {
    return { text: 'x'.repeat(1_100_000), tenantId: context.tenantId };
  }
  @Operation(stuck)
  async stuck(): Promise<never> {
    return new Promise<never>(() => {});
  }
  @Operation(sleepy)
  async sleepy(): Promise<never> {
    return new Promise<never>(() => {});
  }
}

@Module({ controllers: [SampleController] })
class SampleModule {}

describe('an operation over the bus', () => {
  let platform: TestPlatform;
  let client: RpcClient;
  let stop: (() => Promise<void>) | undefined;
  const tenantId = '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a10';
  const context = () => ({
    requestId: 'r1',
    tenantId,
    mode: 'live' as const,
    principal: 'key_1',
    deadlineAt: Date.now() + 5_000,
  });
  const rejection = async (call: Promise<unknown>): Promise<CodedError> => {
    const error: unknown = await call.then(
      () => assert.fail('should have been refused'),
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof CodedError);
    return error;
  };

  function createServer(operations: (typeof echo)[]) {
    const { connection, namespace } = platform;
    const deadLetters = new DeadLetters(connection, namespace);
    const strategy = new BusServer({ ...platform, service: 'sample', deadLetters, operations });
    return NestFactory.createMicroservice(SampleModule, { strategy, logger: false });
  }

  before(async () => {
    platform = await startTestPlatform();
    const application = await createServer([echo, refuse, surprise, leak, misshape, crash, flood, sleepy, stuck]);
    application.useGlobalFilters(new CodedErrorFilter());
    await application.listen();
    client = new RpcClient(platform.connection, platform.namespace);
    stop = () => application.close();
  });

  after(async () => {
    await stop?.();
    await platform.stop();
  });

  it('carries request id, tenant and principal beside the input', async () => {
    const result = await client.call(echo, { text: 'hello' }, context());
    assert.deepEqual(result, { text: 'hello by key_1 in r1', tenantId });
  });

  it('is refused when its mode is missing or not that of the tenant', async () => {
    const { connection, namespace } = platform;
    const ask = async (plane: string) => {
      const sent = headers();
      sent.set(CONTEXT_HEADER, `${plane} key_1 ${Date.now() + 5_000} r1`);
      const payload = JSON.stringify({ text: 'hello' });
      const subject = rpcSubject(namespace, echo.subject);
      const reply = await connection.request(subject, payload, { headers: sent, timeout: 5_000 });
      return reply.headers?.get(ERROR_HEADER) ?? 'answered';
    };
    assert.equal(await ask(`${tenantId} live`), 'answered');
    assert.equal(await ask(`${testTenantOf(tenantId)} test`), 'answered');
    const unknown = '01938a3c-7b7e-4c3d-9d51-2f6d3c9b8a10';
    for (const plane of [tenantId, `${tenantId} test`, `${testTenantOf(tenantId)} live`, `${unknown} live`]) {
      assert.equal(await ask(plane), 'BAD_REQUEST', plane);
    }
  });

  it('brings a coded error across as it was', async () => {
    const error = await rejection(client.call(refuse, { text: '' }, context()));
    assert.deepEqual([error.code, error.message, error.status], ['CONFLICT', 'It is taken.', 409]);
  });

  it('answers what its contract names and nothing else', async () => {
    assert.deepEqual(await client.call(leak, { text: '' }, context()), { text: 'shown', tenantId });
  });

  it('turns an answer or an error code that its contract does not name into INTERNAL_ERROR', async () => {
    for (const operation of [misshape, surprise]) {
      const error = await rejection(client.call(operation, { text: '' }, context()));
      assert.equal(error.code, 'INTERNAL_ERROR');
      assert.doesNotMatch(error.message, /sesame|does not give/);
    }
  });

  it('turns a fault into INTERNAL_ERROR and leaks nothing', async () => {
    const error = await rejection(client.call(crash, { text: '' }, context()));
    assert.equal(error.code, 'INTERNAL_ERROR');
    assert.doesNotMatch(error.message, /sesame/);
  });

  it('refuses input that does not fit the contract, naming the path', async () => {
    const error = await rejection(client.call(echo, { text: 7 } as unknown as { text: string }, context()));
    assert.equal(error.code, 'BAD_REQUEST');
    assert.match(error.message, /^text: /);
  });

  it('that takes longer than its caller waits is answered with UNAVAILABLE by the service itself', async () => {
    const error = await rejection(client.call(sleepy, { text: '' }, context()));
    assert.deepEqual([error.code, error.retryable, error.retryAfterSeconds], ['UNAVAILABLE', true, 1]);
    assert.equal(error.cause, undefined, 'an answer, not its absence');
  });

  it('ends by its deadline with UNAVAILABLE when the service does not answer', async () => {
    const taken = platform.connection.subscribe(rpcSubject(platform.namespace, nobody.subject), { callback: () => {} });
    const error = await rejection(client.call(nobody, { text: '' }, { ...context(), deadlineAt: Date.now() + 200 }));
    assert.deepEqual([error.code, error.retryable, error.retryAfterSeconds], ['UNAVAILABLE', true, 1]);
    assert.ok(error.cause instanceof NoReplyError);
    taken.unsubscribe();
  });

  it('gives one tenant half of the calls that a process takes at once, and answers those of others meanwhile', async () => {
    const waiting = Array.from({ length: CALLS_AT_ONCE_MAX }, () =>
      rejection(client.call(sleepy, { text: '' }, context())),
    );
    const other = { ...context(), tenantId: '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a11' };
    const { tenantId: answered } = await client.call(echo, { text: 'hello' }, other);
    assert.equal(answered, other.tenantId);
    const codes = (await Promise.all(waiting)).map(({ code }) => code);
    assert.equal(codes.filter((code) => code === 'RATE_LIMITED').length, CALLS_AT_ONCE_MAX / 2);
  });

  it('ends at once with UNAVAILABLE when the connection drops, since its reply may be lost', async () => {
    const connection = await connectBus({ url: await testNats(), name: 'dropped', logger: silentLogger });
    try {
      const dropped = new RpcClient(connection, platform.namespace);
      const startedAt = performance.now();
      const call = rejection(dropped.call(stuck, { text: '' }, { ...context(), deadlineAt: Date.now() + 60_000 }));
      await connection.flush();
      await connection.reconnect();
      assert.equal((await call).code, 'UNAVAILABLE');
      assert.ok(performance.now() - startedAt < 5_000);
      const { text } = await eventually(() => dropped.call(echo, { text: 'again' }, context()));
      assert.match(text, /^again/, 'the connection is used again');
    } finally {
      await connection.close();
    }
  });

  it('is UNAVAILABLE at once when no process of the service runs', async () => {
    const startedAt = performance.now();
    assert.equal((await rejection(client.call(nobody, { text: '' }, context()))).code, 'UNAVAILABLE');
    assert.ok(performance.now() - startedAt < 1_000);
  });

  it('is not even sent when the deadline has passed', async () => {
    const late = { ...context(), deadlineAt: Date.now() - 1 };
    assert.equal((await rejection(client.call(echo, { text: '' }, late))).code, 'UNAVAILABLE');
  });

  it('never puts a message over the limit on the bus, in either direction', async () => {
    const error = await rejection(client.call(echo, { text: 'x'.repeat(1_100_000) }, context()));
    assert.equal(error.code, 'PAYLOAD_TOO_LARGE');
    assert.equal((await rejection(client.call(flood, { text: '' }, context()))).code, 'INTERNAL_ERROR');
  });

  it('without a handler, or a handler without an operation, stops the boot', async () => {
    await assert.rejects(async () => (await createServer([echo, nobody])).listen(), /no handler for sample.nobody.v1/);
    await assert.rejects(async () => (await createServer([echo])).listen(), /is not an operation of this service/);
  });
});

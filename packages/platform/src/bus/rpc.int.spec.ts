/** @own-modules */
// Real: NATS, Nest, Postgres (the service's own). Faked: the service, as one small controller.
import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
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
import { z } from 'zod';
import { DeadLetters } from '../events/dead-letters.js';
import { eventually, testNats } from '@kiln/testing';
import { silentLogger, startTestPlatform, type TestPlatform } from '../fixtures/test-platform.js';
import { connectBus } from './connection.js';
import { BusServer } from './bus-server.js';
import { CodedErrorFilter } from './coded-error.filter.js';
import { rpcSubject } from './names.js';
import { Operation } from './operation.decorator.js';
import { NoReplyError, NoResponderError } from './requester.js';
import { RpcClient } from './rpc-client.js';

/** Of one process. */
const CALLS_AT_ONCE_MAX = 2_000;

const answer = z.object({ text: z.string(), tenantId: z.string() });
const define = (name: string, timeoutMs = 60_000, errors: readonly ErrorCode[] = []) =>
  operation({
    subject: `sample.${name}.v1`,
    input: z.object({ text: z.string() }),
    output: answer,
    errors,
    timeoutMs,
    idempotent: true,
  });
const echo = define('echo');
const refuse = define('refuse', 60_000, ['CONFLICT']);
const surprise = define('surprise');
const leak = define('leak');
const misshape = define('misshape');
const crash = define('crash');
const flood = define('flood');
/** Waits until the test continues. */
const held = define('held', 600_000);
/** The service gives up on these sooner than their callers, who always see its reply. */
const sleepy = define('sleepy', 2_000);
const stuck = define('stuck', 2_000);
const asksOther = define('asksOther', 1_000);
const patiently = (called: typeof echo) => ({ ...called, timeoutMs: 60_000 });
const unhandled = define('unhandled');
const ofOther = operation({ ...echo, subject: 'other.hang.v1', timeoutMs: 60_000 });
/** What handlers use: a client to call another service with, and what held calls wait for. */
const handlers: { client: RpcClient | null; gate: Promise<void> } = { client: null, gate: Promise.resolve() };

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
  @Operation(held)
  async held(_input: { text: string }, context: CallContext) {
    await handlers.gate;
    return { text: 'held', tenantId: context.tenantId };
  }
  @Operation(stuck)
  async stuck(): Promise<never> {
    return new Promise<never>(() => {});
  }
  @Operation(sleepy)
  async sleepy(): Promise<never> {
    return new Promise<never>(() => {});
  }
  @Operation(asksOther)
  async asksOther(input: { text: string }, context: CallContext) {
    if (!handlers.client) throw new Error('there is no client');
    return handlers.client.call(ofOther, input, context);
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
    deadlineAt: Date.now() + 60_000,
  });
  const rejection = async (call: Promise<unknown>): Promise<CodedError> => {
    const error: unknown = await call.then(
      () => {
        throw new Error('should have been refused');
      },
      (reason: unknown) => reason,
    );
    if (!(error instanceof CodedError)) throw error;
    return error;
  };

  function createServer(operations: (typeof echo)[]) {
    const { connection, namespace } = platform;
    const deadLetters = new DeadLetters(connection, namespace);
    const strategy = new BusServer({ ...platform, service: 'sample', deadLetters, operations });
    return NestFactory.createMicroservice(SampleModule, { strategy, logger: false });
  }

  beforeAll(async () => {
    platform = await startTestPlatform();
    const application = await createServer([
      echo,
      refuse,
      surprise,
      leak,
      misshape,
      crash,
      flood,
      held,
      sleepy,
      stuck,
      asksOther,
    ]);
    application.useGlobalFilters(new CodedErrorFilter());
    await application.listen();
    client = handlers.client = new RpcClient(platform.connection, platform.namespace);
    stop = () => application.close();
  });

  afterAll(async () => {
    await stop?.();
    await platform.stop();
  });

  it('carries request id, tenant and principal beside the input', async () => {
    const result = await client.call(echo, { text: 'hello' }, context());
    expect(result).toStrictEqual({ text: 'hello by key_1 in r1', tenantId });
  });

  it('is rejected if its mode is missing or differs from the mode of the tenant', async () => {
    const { connection, namespace } = platform;
    const ask = async (tenant: string) => {
      const sent = headers();
      sent.set(CONTEXT_HEADER, `${tenant} key_1 5000 r1`);
      const payload = JSON.stringify({ text: 'hello' });
      const subject = rpcSubject(namespace, echo.subject);
      const reply = await connection.request(subject, payload, { headers: sent, timeout: 60_000 });
      return reply.headers?.get(ERROR_HEADER) ?? 'answered';
    };
    expect(await ask(`${tenantId} live`)).toBe('answered');
    expect(await ask(`${testTenantOf(tenantId)} test`)).toBe('answered');
    const unknown = '01938a3c-7b7e-4c3d-9d51-2f6d3c9b8a10';
    const wrong = [tenantId, `${tenantId} test`, `${testTenantOf(tenantId)} live`, `${unknown} live`];
    const answers = await Promise.all(wrong.map(async (tenant) => [tenant, await ask(tenant)]));
    expect(answers).toStrictEqual(wrong.map((tenant) => [tenant, 'BAD_REQUEST']));
  });

  it('returns a coded error unchanged', async () => {
    const error = await rejection(client.call(refuse, { text: '' }, context()));
    expect([error.code, error.message, error.status]).toStrictEqual(['CONFLICT', 'It is taken.', 409]);
  });

  it('returns only the fields that its contract names', async () => {
    expect(await client.call(leak, { text: '' }, context())).toStrictEqual({ text: 'shown', tenantId });
  });

  it('returns INTERNAL_ERROR for a result or an error code outside its contract', async () => {
    for (const operation of [misshape, surprise]) {
      const error = await rejection(client.call(operation, { text: '' }, context()));
      expect(error.code).toBe('INTERNAL_ERROR');
      expect(error.message).not.toMatch(/sesame|does not give/);
    }
  });

  it('returns INTERNAL_ERROR for an uncoded error, without its message', async () => {
    const error = await rejection(client.call(crash, { text: '' }, context()));
    expect(error.code).toBe('INTERNAL_ERROR');
    expect(error.message).not.toMatch(/sesame/);
  });

  it('rejects input that does not match the contract, and names the path', async () => {
    const error = await rejection(client.call(echo, { text: 7 } as unknown as { text: string }, context()));
    expect(error.code).toBe('BAD_REQUEST');
    expect(error.message).toMatch(/^text /);
  });

  it('is answered with UNAVAILABLE by the service when it takes longer than its caller waits', async () => {
    const error = await rejection(client.call(patiently(sleepy), { text: '' }, context()));
    expect([error.code, error.retryable, error.retryAfterSeconds]).toStrictEqual(['UNAVAILABLE', true, 1]);
    // The service replied; it was not a client timeout.
    expect(error.cause).toBeUndefined();
  });

  it('ends at its deadline with UNAVAILABLE when the service does not reply', async () => {
    let received = 0;
    const taken = platform.connection.subscribe(rpcSubject(platform.namespace, unhandled.subject), {
      callback: () => void received++,
    });
    // On a busy machine a call may expire before it is sent.
    const error = await eventually(async () => {
      const late = { ...context(), deadlineAt: Date.now() + 200 };
      const refused = await rejection(client.call(unhandled, { text: '' }, late));
      expect(received).toBeGreaterThan(0);
      return refused;
    });
    expect([error.code, error.retryable, error.retryAfterSeconds]).toStrictEqual(['UNAVAILABLE', true, 1]);
    expect(error.cause).toBeInstanceOf(NoReplyError);
    taken.unsubscribe();
  });

  it('names the service that does not reply, when the handler of another one waits for it', async () => {
    const taken = platform.connection.subscribe(rpcSubject(platform.namespace, ofOther.subject), {
      callback: () => {},
    });
    const calls = Array.from({ length: 20 }, () =>
      rejection(client.call(patiently(asksOther), { text: '' }, context())),
    );
    for (const error of await Promise.all(calls)) {
      expect([error.code, error.message]).toStrictEqual(['UNAVAILABLE', expect.stringContaining('The other service')]);
    }
    taken.unsubscribe();
  });

  it('limits one tenant to half of the calls a process runs at once, and answers the calls of others meanwhile', async () => {
    let proceed = () => undefined as void;
    handlers.gate = new Promise((resolve) => (proceed = resolve));
    const outcomes: string[] = [];
    const patient = { ...context(), deadlineAt: Date.now() + held.timeoutMs };
    const calls = Array.from({ length: CALLS_AT_ONCE_MAX }, async () => {
      const outcome = client.call(held, { text: '' }, patient).then(({ text }) => text);
      outcomes.push(await outcome.catch(({ code }: CodedError) => code));
    });
    await eventually(() => expect(outcomes).toHaveLength(CALLS_AT_ONCE_MAX / 2));
    expect(new Set(outcomes)).toStrictEqual(new Set(['RATE_LIMITED']));
    const other = { ...context(), tenantId: '01938a3c-7b7e-7c3d-9d51-2f6d3c9b8a11' };
    const { tenantId: answered } = await client.call(echo, { text: 'hello' }, other);
    expect(answered).toBe(other.tenantId);
    proceed();
    await Promise.all(calls);
    expect(outcomes.filter((outcome) => outcome === 'held')).toHaveLength(CALLS_AT_ONCE_MAX / 2);
  });

  it('ends at once with UNAVAILABLE when the connection drops, because its reply may be lost', async () => {
    const connection = await connectBus({ url: await testNats(), name: 'dropped', logger: silentLogger });
    try {
      const dropped = new RpcClient(connection, platform.namespace);
      const call = rejection(dropped.call(patiently(stuck), { text: '' }, context()));
      await connection.flush();
      await connection.reconnect();
      const error = await call;
      // Neither the service's reply nor the deadline.
      expect([error.code, error.cause]).toMatchObject(['UNAVAILABLE', { message: 'the connection dropped' }]);
      // What was sent while the connection was down is lost.
      const again = () => dropped.call(echo, { text: 'again' }, { ...context(), deadlineAt: Date.now() + 2_000 });
      const { text } = await eventually(again);
      // The connection is usable again.
      expect(text).toMatch(/^again/);
    } finally {
      await connection.close();
    }
  });

  it('is UNAVAILABLE at once when no process of the service runs', async () => {
    const error = await rejection(client.call(unhandled, { text: '' }, context()));
    expect([error.code, error.cause]).toStrictEqual(['UNAVAILABLE', expect.any(NoResponderError)]);
  });

  it('is answered by a host whose clock is an hour ahead, or behind', async () => {
    const now = Date.now.bind(Date);
    for (const shiftMs of [3_600_000, -3_600_000]) {
      const call = client.call(echo, { text: 'hello' }, context());
      // The headers are made, and the call is sent in the next pass of the event loop.
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + shiftMs);
      try {
        expect((await call).text).toMatch(/^hello/);
      } finally {
        clock.mockRestore();
      }
    }
  });

  it('is not sent when its deadline has passed', async () => {
    const late = { ...context(), deadlineAt: Date.now() - 1 };
    expect((await rejection(client.call(echo, { text: '' }, late))).code).toBe('UNAVAILABLE');
  });

  it('never puts a message over the limit on the bus, in either direction', async () => {
    const error = await rejection(client.call(echo, { text: 'x'.repeat(1_100_000) }, context()));
    expect(error.code).toBe('PAYLOAD_TOO_LARGE');
    expect((await rejection(client.call(flood, { text: '' }, context()))).code).toBe('INTERNAL_ERROR');
  });

  it('stops the boot if it has no handler, as does a handler without an operation', async () => {
    await expect(async () => (await createServer([echo, unhandled])).listen()).rejects.toThrow(
      /no handler for sample.unhandled.v1/,
    );
    await expect(async () => (await createServer([echo])).listen()).rejects.toThrow(
      /is not an operation of this service/,
    );
  });
});

// Real: NATS. Faked: the service, as handlers that a test writes.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CodedError } from '@kiln/contracts';
import { eventually } from '@kiln/testing';
import {
  contextFor,
  count,
  DEADLINE_MS,
  endless,
  never,
  NEVER_MS,
  readAll,
  SHORT_HEARTBEAT_MS,
  StreamingEnds,
} from '../fixtures/streaming-ends.js';
import { NoReplyError, NoResponderError } from './requester.js';
import { QUIET_HEARTBEATS_MAX } from './stream-parts.js';
import type { StreamContext } from './streaming-server.js';

describe('a stream', () => {
  let ends: StreamingEnds;
  beforeEach(() => {
    ends = new StreamingEnds();
  });
  afterEach(() => ends.close());

  it('breaks off with UNAVAILABLE within heartbeats when the service dies', async () => {
    const { connection } = await ends.serve(endless(), SHORT_HEARTBEAT_MS);
    const { client, connection: caller } = await ends.startClient(SHORT_HEARTBEAT_MS);
    const stream = client.stream(count, { to: 1 }, contextFor(), never());
    expect((await stream.next()).value).toStrictEqual({ number: 1 });
    const next = stream.next();
    // The service is asked before it dies.
    await caller.flush();
    await connection.close();
    const error = await next.catch((thrown: unknown) => thrown as CodedError);
    expect(error).toMatchObject({ code: 'UNAVAILABLE' });
    // Before it died, the service may have sent a heartbeat, after which the caller has asked again.
    expect([NoReplyError, NoResponderError]).toContain((error as CodedError).cause?.constructor);
  });

  it('breaks off when a service that is still connected falls silent', async () => {
    await ends.serve(endless(), NEVER_MS);
    const { client } = await ends.startClient(SHORT_HEARTBEAT_MS);
    const stream = client.stream(count, { to: 1 }, contextFor(), never());
    expect((await stream.next()).value).toStrictEqual({ number: 1 });
    await expect(stream.next()).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: expect.any(NoReplyError) });
  });

  it('breaks off at once when the connection of the caller drops, and stops the work', async () => {
    let onAbort = (_context: StreamContext) => undefined as void;
    const aborted = new Promise<StreamContext>((resolve) => (onAbort = resolve));
    await ends.serve(endless(onAbort), SHORT_HEARTBEAT_MS);
    const { client, connection } = await ends.startClient();
    const stream = client.stream(count, { to: 1 }, contextFor(), never());
    expect((await stream.next()).value).toStrictEqual({ number: 1 });
    const next = stream.next();
    await connection.reconnect();
    await expect(next).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: expect.any(NoReplyError) });
    await aborted;
  });

  it('aborts the signal of its handler when the reader stops, aborts, dies or stands still', async () => {
    for (const how of ['stops', 'aborts', 'dies', 'stands still'] as const) {
      let onAbort = (_context: StreamContext) => undefined as void;
      const aborted = new Promise<StreamContext>((resolve) => (onAbort = resolve));
      const { server } = await ends.serve(endless(onAbort), SHORT_HEARTBEAT_MS);
      const { client, connection } = await ends.startClient(how === 'stands still' ? NEVER_MS : SHORT_HEARTBEAT_MS);
      const leave = new AbortController();
      const stream = client.stream(count, { to: 1 }, contextFor(), leave.signal);
      expect((await stream.next()).value).toStrictEqual({ number: 1 });
      if (how === 'stops') await stream.return({ sum: 0 });
      if (how === 'dies') await connection.close();
      if (how === 'aborts') {
        const next = stream.next();
        leave.abort(new Error('the caller has gone'));
        await expect(next).rejects.toThrow('the caller has gone');
      }
      expect((await aborted).signal.aborted).toBe(true);
      await stream.return({ sum: 0 });
      await server.drain(0);
    }
  });

  it('waits for a slow reader: one item is made beyond what is read', async () => {
    let yielded = 0;
    await ends.serve(async function* flooding({ to }) {
      for (; yielded < to; yielded++) yield { number: yielded };
      return { sum: yielded };
    }, 1_000);
    const { client, connection } = await ends.startClient(1_000);
    const stream = client.stream(count, { to: 500 }, contextFor(), never());
    await stream.next();
    // Both ends outlast the silence after which the other one counts as dead.
    const sent = connection.stats().outMsgs;
    await eventually(() => expect(connection.stats().outMsgs).toBeGreaterThan(sent + QUIET_HEARTBEATS_MAX * 2));
    expect(yielded).toBe(1);
    const { items, output } = await readAll(stream);
    expect([items.length, output]).toStrictEqual([499, { sum: 500 }]);
  });

  it('ends at its deadline with UNAVAILABLE from the service, also when its handler ignores the signal', async () => {
    let begun = 0;
    const stuck = async function* () {
      begun++;
      yield { number: 1 };
      await new Promise(() => undefined);
    };
    // The service gives up sooner than the caller, who always sees its reply.
    await ends.serve(stuck, NEVER_MS, { ...count, timeoutMs: 800 });
    const { client } = await ends.startClient(NEVER_MS);
    // On a busy machine the deadline may come before the handler has begun.
    await eventually(async () => {
      const stream = client.stream(count, { to: 1 }, contextFor(), never());
      const error: unknown = await readAll(stream).catch((e: unknown) => e);
      expect(error).toMatchObject({ code: 'UNAVAILABLE' });
      // An error of the service has no cause here. A timeout of the caller would have one.
      expect((error as Error).cause).toBeUndefined();
      expect(begun).toBeGreaterThan(0);
    });
  });

  it('is finished by a service that stops, and ended with UNAVAILABLE when that takes too long', async () => {
    let proceed = () => undefined as void;
    const gate = new Promise<void>((resolve) => (proceed = resolve));
    const { server } = await ends.serve(async function* gated() {
      yield { number: 1 };
      await gate;
      return { sum: 1 };
    });
    const { client } = await ends.startClient();
    const stream = client.stream(count, { to: 1 }, contextFor(), never());
    await stream.next();
    const drained = server.drain(DEADLINE_MS);
    proceed();
    expect(await stream.next()).toStrictEqual({ done: true, value: { sum: 1 } });
    await drained;

    const stuck = await ends.serve(endless());
    const cut = client.stream(count, { to: 1 }, contextFor(), never());
    await cut.next();
    const next = cut.next();
    const [ended] = await Promise.allSettled([next, stuck.server.drain(100)]);
    expect(ended).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } });
  });
});

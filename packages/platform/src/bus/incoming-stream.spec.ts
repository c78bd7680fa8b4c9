import { jest, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { headers, type Msg } from '@nats-io/transport-node';
import { IncomingStream } from './incoming-stream.js';
import { NoReplyError } from './requester.js';
import { ALIVE, CANCEL, HEARTBEAT_MS, NEXT, partHeaders, QUIET_HEARTBEATS_MAX, type PartKind } from './stream-parts.js';

const part = (kind: PartKind, text = '') =>
  ({ headers: partHeaders(kind), reply: 'control', string: () => text }) as unknown as Msg;

/** A service that replies with these parts, one after the other, then falls silent. */
function startStream(...parts: Msg[]) {
  const asked: string[] = [];
  const sent: string[] = [];
  const requester = {
    request: (subject: string, payload: string) => {
      asked.push(`${subject} ${payload}`);
      const next = parts.shift();
      return next ? Promise.resolve(next) : new Promise<Msg>(() => undefined);
    },
  };
  const connection = {
    publish: (subject: string, payload: unknown) => void sent.push(`${subject} ${String(payload)}`),
    isClosed: () => false,
  };
  const call = { service: 'sample', timeoutMs: 600_000, payload: '{}', headers: headers(), revision: 1 };
  const leave = new AbortController();
  return { stream: new IncomingStream(connection, requester, call, leave.signal), asked, sent, leave };
}

const isUnavailable = { code: 'UNAVAILABLE', message: expect.stringMatching(/^The sample service/) };

describe('the stream of a caller', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('asks for each part where the service listens, and is complete with the last one', async () => {
    const { stream, asked, sent } = startStream(part('open'), part('item', '1'), part('alive'), part('end', '2'));
    await stream.open('subject');
    expect(await stream.next()).toStrictEqual({ isLast: false, value: 1 });
    expect(await stream.next()).toStrictEqual({ isLast: true, value: 2 });
    stream.close();
    expect(asked).toStrictEqual(['subject {}', ...Array.from({ length: 3 }, () => `control ${NEXT}`)]);
    expect(sent).toStrictEqual([]);
  });

  it('breaks off after five heartbeats without a reply, also when a part is lost, and cancels', async () => {
    const { stream, sent } = startStream(part('open'));
    await stream.open('subject');
    const next = stream.next();
    jest.advanceTimersByTime(HEARTBEAT_MS * QUIET_HEARTBEATS_MAX);
    expect(sent).toStrictEqual(Array.from({ length: QUIET_HEARTBEATS_MAX }, () => `control ${ALIVE}`));
    jest.advanceTimersByTime(HEARTBEAT_MS);
    await expect(next).rejects.toMatchObject({ ...isUnavailable, cause: expect.any(NoReplyError) });
    stream.close();
    expect(sent.at(-1)).toBe(`control ${CANCEL}`);
  });

  it('shows at each heartbeat that it lives while its reader does something else', async () => {
    const { stream, sent } = startStream(part('open'), part('item', '1'), part('item', '2'));
    await stream.open('subject');
    await stream.next();
    jest.advanceTimersByTime(HEARTBEAT_MS * QUIET_HEARTBEATS_MAX * 2);
    expect(sent).toStrictEqual(Array.from({ length: QUIET_HEARTBEATS_MAX * 2 }, () => `control ${ALIVE}`));
    expect(await stream.next()).toStrictEqual({ isLast: false, value: 2 });
    stream.close();
  });

  it('is silent once its caller has left, although its reader does not come back', async () => {
    const { stream, sent, leave } = startStream(part('open'));
    await stream.open('subject');
    leave.abort(new Error('the caller has gone'));
    jest.advanceTimersByTime(HEARTBEAT_MS * 2);
    expect(sent).toStrictEqual([]);
    await expect(stream.next()).rejects.toThrow('the caller has gone');
    stream.close();
    expect(sent).toStrictEqual([`control ${CANCEL}`]);
  });
});

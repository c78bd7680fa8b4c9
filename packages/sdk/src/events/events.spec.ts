import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StreamedEvent } from './streamed-event.js';
import type { ServerResponse } from 'node:http';
import { GoneError } from '../core/errors.js';
import { readEvents } from '../core/read-events.js';
import { SseParser } from '../core/sse-parser.js';
import { hangUp, problem, startTestServer, type Behaviour, type TestServer } from '../fixtures/test-server.js';

let server: TestServer;
let closed: Promise<void>[];
beforeEach(async () => {
  server = await startTestServer();
  closed = [];
});
afterEach(() => server.close());

/** Sends events. Then the connection stays open, is closed, or breaks. */
const events =
  (text: string, then: 'open' | 'end' | 'break' = 'open'): Behaviour =>
  (response) => {
    closed.push(new Promise((resolve) => response.on('close', resolve)));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => (then === 'break' ? response.destroy() : then === 'end' && response.end()));
  };
const event = (id: string) => `id: ${id}\nevent: file.created\ndata: {"id":"evt_${id}","type":"file.created"}\n\n`;
/** Lets the stream connect again at once. */
const failed: Behaviour = problem(503, 'UNAVAILABLE', { 'retry-after': '0' });

async function taken(stream: AsyncIterable<StreamedEvent>, count: number): Promise<string[]> {
  const ids: string[] = [];
  for await (const event of stream) if (ids.push('id' in event ? event.id : event.type) === count) break;
  return ids;
}

describe('the stream of events', () => {
  it('continues after a lost connection with the event that follows the last one', async () => {
    const progress = 'event: job.progress\ndata: {"type":"job.progress"}\n\n';
    server.script(
      events(event('1') + event('2') + progress, 'break'),
      hangUp,
      failed,
      events(event('3'), 'end'),
      events(event('4')),
    );
    const stream = server.kiln().events.stream();
    expect(await taken(stream, 5)).toStrictEqual(['evt_1', 'evt_2', 'job.progress', 'evt_3', 'evt_4']);
    const resumed = server.received.map(({ headers }) => headers['last-event-id']);
    expect(resumed).toStrictEqual([undefined, '2', '2', '2', '3']);
    expect(stream.lastEventId).toBe('4');
  });

  it('continues with an event that was cut off by the loss of the connection', async () => {
    server.script(events(`${event('1')}id: 2\nevent: file.created\nda`, 'break'), events(event('2')));
    expect(await taken(server.kiln().events.stream(), 2)).toStrictEqual(['evt_1', 'evt_2']);
    expect(server.received.map(({ headers }) => headers['last-event-id'])).toStrictEqual([undefined, '1']);
  });

  it('has the id of the last event that the caller has received, though more have arrived', async () => {
    server.script(events(event('1') + event('2')));
    const stream = server.kiln().events.stream();
    expect(await taken(stream, 1)).toStrictEqual(['evt_1']);
    expect(stream.lastEventId).toBe('1');
  });

  it('closes the connection when the caller leaves the loop', async () => {
    server.script(events(event('1')));
    await taken(server.kiln().events.stream(), 1);
    await expect(Promise.all(closed)).resolves.toHaveLength(1);
  });

  it('begins after the event that the caller has kept, and sends its query', async () => {
    server.script(events(event('8')));
    await taken(
      server.kiln().events.stream({ types: ['file.created', 'job.progress'], space: 'a' }, { lastEventId: '7' }),
      1,
    );
    expect(server.received[0]?.headers['last-event-id']).toBe('7');
    expect(server.received[0]?.path).toBe('/v1/events/stream?types=file.created%2Cjob.progress&space=a');
  });

  it('ends with GoneError when events are no longer kept, and with other errors that no retry changes', async () => {
    server.script(problem(410, 'EVENTS_EXPIRED'), problem(403, 'FORBIDDEN'));
    await expect(taken(server.kiln().events.stream({}, { lastEventId: '1' }), 1)).rejects.toBeInstanceOf(GoneError);
    await expect(taken(server.kiln().events.stream(), 1)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(server.received).toHaveLength(2);
  });

  it('ends with its first connection if maxRetries is 0', async () => {
    server.script(events(event('1'), 'break'));
    await expect(taken(server.kiln().events.stream({}, { maxRetries: 0 }), 2)).rejects.toMatchObject({
      code: 'CONNECTION',
    });
    expect(server.received).toHaveLength(1);
  });

  it('gives up when no connection has opened before the deadline', async () => {
    server.script(hangUp);
    const stream = server.kiln().events.stream({}, { deadlineMs: 100 });
    await expect(taken(stream, 1)).rejects.toMatchObject({ code: 'CONNECTION' });
  });

  it('ends with the reason of its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('the caller has left');
    server.script(events(event('1')));
    const stream = server.kiln().events.stream({}, { signal: controller.signal });
    const read = async () => {
      for await (const _event of stream) controller.abort(reason);
    };
    await expect(read()).rejects.toBe(reason);
    await expect(Promise.all(closed)).resolves.toHaveLength(1);
  });
});

describe('a streamed answer', () => {
  const answer = (...parts: (object | string)[]) =>
    parts.map((part) => `data: ${typeof part === 'string' ? part : JSON.stringify(part)}\n\n`).join('');
  const ask = () => server.kiln().search.askStream({ question: 'Why?' });

  it('yields its parts, and ends with the end marker', async () => {
    const parts = [{ type: 'chunk', content: 'Because' }, { type: 'done' }];
    server.script(events(`: keep-alive\n\n${answer(...parts, '[DONE]')}`));
    const read: unknown[] = [];
    for await (const part of ask()) read.push(part);
    expect(read).toStrictEqual(parts);
    expect(JSON.parse(server.received[0]?.body ?? '')).toStrictEqual({ question: 'Why?', stream: true });
    expect(server.received[0]?.headers.accept).toBe('text/event-stream');
  });

  it('that reports an error, or ends before its end marker, is an error', async () => {
    const error = { type: 'error', error: 'the model has failed', code: 'UNAVAILABLE', requestId: 'r' };
    server.script(
      events(answer({ type: 'chunk', content: 'B' }, error), 'end'),
      events(answer({ type: 'chunk' }), 'end'),
    );
    const read = async () => {
      for await (const _part of ask());
    };
    await expect(read()).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'the model has failed',
      requestId: 'r',
    });
    await expect(read()).rejects.toMatchObject({ code: 'CONNECTION' });
  });

  it('ends the request when the caller leaves the loop', async () => {
    server.script(events(answer({ type: 'chunk', content: 'B' })));
    for await (const _part of ask()) break;
    await expect(Promise.all(closed)).resolves.toHaveLength(1);
  });
});

describe('a stream that falls silent', () => {
  it('is a timeout, and its connection is closed', async () => {
    let sent: ServerResponse | undefined;
    server.script((response, received, request) => {
      sent = response;
      events(event('1'))(response, received, request);
    });
    const response = await fetch(server.url);
    const read = async () => {
      const reading = { what: 'GET', parser: new SseParser(), signal: undefined, silenceMsMax: 20 };
      for await (const _event of readEvents(response, reading));
    };
    await expect(read()).rejects.toMatchObject({ code: 'TIMEOUT' });
    await Promise.all(closed);
    expect(sent?.writableFinished).toBe(false);
  });
});

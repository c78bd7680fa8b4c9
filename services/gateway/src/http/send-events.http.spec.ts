// Real: HTTP on loopback.
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { unavailable } from '@kiln/contracts';
import { createLogger } from '@kiln/platform';
import { eventually } from '@kiln/testing';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { sendEvents } from './send-events.http.js';

const logger = createLogger({ service: 'gateway', role: 'api', level: 'silent' });

describe('server-sent events', () => {
  let server: Server;
  let events: () => AsyncIterable<unknown>;
  /** Responses that have ended. */
  let ended: number;
  beforeEach(async () => {
    ended = 0;
    server = createServer((request, response) => {
      const sent = sendEvents(request, response, { events: events(), logger, heartbeatMs: 20 });
      void sent.finally(() => ended++);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const port = () => (server.address() as AddressInfo).port;
  const ask = () => fetch(`http://127.0.0.1:${port()}/`, { headers: { 'x-request-id': 'mine' } });

  function askRaw(): Socket {
    const socket = connect(port(), '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    return socket;
  }

  it('are sent as lines of JSON, followed by [DONE], uncached and unbuffered', async () => {
    events = async function* () {
      yield { type: 'chunk', content: 'a\nb ü' };
      yield { type: 'done' };
    };
    const response = await ask();
    expect(await response.text()).toBe(
      'data: {"type":"chunk","content":"a\\nb ü"}\n\ndata: {"type":"done"}\n\ndata: [DONE]\n\n',
    );
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
  });

  it('end with the error, without the end marker, when they break off', async () => {
    events = async function* () {
      yield { type: 'chunk', content: 'a' };
      throw unavailable('The search service', new Error('secret'));
    };
    const lines = (await (await ask()).text()).trim().split('\n\n');
    expect(lines).toHaveLength(2);
    expect(JSON.parse(lines[1]?.slice('data: '.length) ?? '')).toStrictEqual({
      type: 'error',
      error: 'The search service is not available right now. Retry in a moment.',
      code: 'UNAVAILABLE',
      requestId: 'mine',
    });
  });

  it('are preceded by headers and comments while the first one takes time', async () => {
    let proceed = () => undefined as void;
    const gate = new Promise<void>((resolve) => (proceed = resolve));
    events = async function* () {
      await gate;
      yield { type: 'done' };
    };
    const reader = (await ask()).body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toMatch(/^: keep-alive\n\n/);
    proceed();
    let rest = '';
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
      rest += Buffer.from(next.value).toString();
    expect(rest).toMatch(/data: \[DONE\]\n\n$/);
  });

  it('are no longer read when the caller has left', async () => {
    let isOver = false;
    events = async function* () {
      try {
        for (;;) {
          yield { type: 'chunk', content: 'a' };
          await new Promise((resolve) => setImmediate(resolve));
        }
      } finally {
        isOver = true;
      }
    };
    const socket = askRaw();
    await once(socket, 'data');
    socket.destroy();
    await eventually(() => isOver && ended === 1);
  });

  it('are read no faster than the caller reads', async () => {
    let yielded = 0;
    const content = 'x'.repeat(65_536);
    const total = 1_000;
    events = async function* () {
      for (; yielded < total; yielded++) yield { type: 'chunk', content };
    };
    const socket = askRaw();
    socket.pause();
    let before = -1;
    // It has stopped when nothing was added between two looks.
    await eventually(() => {
      const stands = yielded > 0 && yielded === before;
      before = yielded;
      return stands;
    });
    expect(yielded).toBeLessThan(total / 2);
    const all = text(socket);
    await eventually(() => ended === 1);
    server.closeAllConnections();
    expect((await all).length).toBeGreaterThan(total * content.length);
  });
});

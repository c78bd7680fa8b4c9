// Real: sockets on loopback. Faked: nothing.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { Agent } from 'undici';
import { startReceiver, type Receiver } from '../test/receiver.js';
import { HttpSender, type HttpResult } from './http-sender.adapter.js';

describe('a sender', () => {
  let receiver: Receiver;
  const agent = new Agent();
  beforeAll(async () => {
    receiver = await startReceiver((response, _request, { path }) => {
      if (path === '/quick') response.writeHead(204).end();
      if (path === '/torn') response.writeHead(200, { 'content-length': '10' }).write('half', () => response.destroy());
      if (path === '/drip') response.writeHead(200).write('.');
    });
  });
  afterAll(async () => {
    await agent.destroy();
    await receiver.close();
  });

  const post = (sender: HttpSender, path: string) =>
    new Promise<HttpResult>((resolve) => {
      const { origin } = new URL(receiver.url);
      sender.post({ origin, path, headers: [], body: '{}' }, resolve);
    });

  it('gives up each exchange at its own deadline, whether it never answers or never ends, and whatever ends before', async () => {
    const sender = new HttpSender(agent, 300);
    // The quick requests end first, by their response. On a busy machine they may be aborted too.
    const first = post(sender, '/quick');
    const hangs = post(sender, '/hangs');
    await first;
    const drips = eventually(async () => {
      const result = await post(sender, '/drip');
      expect(result.responseBody).toBe('.');
      return result;
    });
    await post(sender, '/quick');
    for (const result of [await hangs, await drips]) {
      expect(result.error ?? '').toMatch(/did not answer in full within 0.3 s/);
      expect(result.durationMs).toBeGreaterThanOrEqual(299);
    }
    // The timer is set again for later requests.
    expect((await post(sender, '/hangs')).error ?? '').toMatch(/within 0.3 s/);
  });

  it('distinguishes a truncated response from a complete one', async () => {
    const sender = new HttpSender(agent, 60_000);
    const complete = await post(sender, '/quick');
    expect([complete.statusCode, complete.error]).toStrictEqual([204, null]);
    const torn = await post(sender, '/torn');
    expect(torn.error ?? '').toMatch(/closed the connection/);
    expect(torn.statusCode).toBe(200);
  });

  it('cancels every request at once on demand, and reports that', async () => {
    const sender = new HttpSender(agent, 60_000);
    const hanging = [post(sender, '/hangs'), post(sender, '/drip')];
    expect((await post(sender, '/quick')).error).toBeNull();
    sender.abortAll();
    for (const result of await Promise.all(hanging)) expect(result.error ?? '').toMatch(/worker was stopped/);
  });
});

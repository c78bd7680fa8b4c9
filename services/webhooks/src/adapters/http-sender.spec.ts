// Real: sockets on loopback. Faked: nothing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Agent } from 'undici';
import { startReceiver, type Receiver } from '../test/receiver.js';
import { HttpSender, type HttpResult } from './http-sender.js';

describe('a sender', () => {
  let receiver: Receiver;
  const agent = new Agent();
  before(async () => {
    receiver = await startReceiver((response, _request, { path }) => {
      if (path === '/quick') response.writeHead(204).end();
      if (path === '/torn') response.writeHead(200, { 'content-length': '10' }).write('half', () => response.destroy());
      if (path === '/drip') response.writeHead(200).write('.');
    });
  });
  after(async () => {
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
    const first = post(sender, '/quick');
    const hangs = post(sender, '/hangs');
    assert.equal((await first).error, null);
    const drips = post(sender, '/drip');
    assert.equal((await post(sender, '/quick')).statusCode, 204);
    for (const result of [await hangs, await drips]) {
      assert.match(result.error ?? '', /did not answer in full within 0.3 s/);
      assert.ok(result.durationMs >= 299, `${result.durationMs} ms`);
    }
    assert.equal((await drips).responseBody, '.');
    // The timer is armed again for those that come later.
    assert.match((await post(sender, '/hangs')).error ?? '', /within 0.3 s/);
  });

  it('tells an answer that was torn off from a whole one', async () => {
    receiver.received.length = 0;
    const torn = await post(new HttpSender(agent, 5_000), '/torn');
    assert.match(torn.error ?? '', /closed the connection/);
    assert.equal(torn.statusCode, 200);
  });

  it('gives up everything at once when it is told to, and says so', async () => {
    const sender = new HttpSender(agent, 60_000);
    const hanging = [post(sender, '/hangs'), post(sender, '/drip')];
    assert.equal((await post(sender, '/quick')).error, null);
    sender.abortAll();
    for (const result of await Promise.all(hanging)) assert.match(result.error ?? '', /worker was stopped/);
  });
});

// Real: a CONNECT proxy, plain and TLS endpoints on loopback; Postgres for the last test. Replaced: the name server.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createGuardedAgent, OutboundPolicy } from '@kiln/outbound';
import { eventually, selfSigned, startConnectProxy, type ConnectProxy } from '@kiln/testing';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import { answer, startReceiver, type Receiver } from '../test/receiver.js';
import { contextOf, fileCompleted, only, startWebhooks } from '../test/webhooks-harness.js';
import { HttpSender, type HttpResult } from './http-sender.adapter.js';

const PATIENT_MS = 60_000;
const CONNECT_TIMEOUT_FIRST_MS = 500;

describe('by way of an egress proxy', () => {
  let proxy: ConnectProxy;
  let receiver: Receiver;
  let port = 0;
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    proxy = await startConnectProxy();
    receiver = await startReceiver();
    port = Number(new URL(receiver.url).port);
  });
  afterEach(() => {
    proxy.asked.length = 0;
    proxy.refused.clear();
    proxy.dropped.clear();
    receiver.received.length = 0;
    receiver.behave(answer(204));
  });
  afterAll(async () => {
    await Promise.all(ends.map((end) => end()));
    await proxy.close();
    await receiver.close();
  });

  interface Way {
    allow?: string;
    /** The answers of the name server, one for each look-up. */
    answers?: string[][];
    proxyUrl?: string;
    ca?: string;
    connectTimeoutMs?: number;
  }

  function senderBy({
    allow = '',
    answers = [],
    proxyUrl = proxy.url,
    ca,
    connectTimeoutMs = PATIENT_MS,
  }: Way): HttpSender {
    const resolve = async () => answers.shift() ?? ['127.0.0.1'];
    const policy = new OutboundPolicy({ allow, resolveByDns: resolve, resolveBySystem: resolve });
    const keeping = { connectTimeoutMs, keepAliveMs: PATIENT_MS };
    const agent = createGuardedAgent({ policy, ...keeping, proxyUrl, ...(ca && { ca }) });
    ends.push(() => agent.destroy());
    return new HttpSender(agent, PATIENT_MS);
  }
  const post = (sender: HttpSender, origin: string) =>
    new Promise<HttpResult>((resolve) => sender.post({ origin, path: '/hook', headers: [], body: '{}' }, resolve));

  it('the address that was checked is asked for, never the name, and at most two connections serve six requests', async () => {
    const sender = senderBy({ allow: 'hooks.internal' });
    for (let count = 0; count < 6; count++) {
      const result = await post(sender, `http://hooks.internal:${port}`);
      expect([result.statusCode, result.error]).toStrictEqual([204, null]);
    }
    expect(new Set(proxy.asked)).toStrictEqual(new Set([`127.0.0.1:${port}`]));
    expect(proxy.asked.length).toBeLessThanOrEqual(2);
    expect(receiver.received[0]?.headers.host).toBe(`hooks.internal:${port}`);
  });

  it('TLS is spoken with the endpoint itself, under its name', async () => {
    const certificate = selfSigned('hooks.internal');
    const names: (string | false | undefined)[] = [];
    const server = createServer(certificate, (request, response) => {
      names.push((request.socket as { servername?: string }).servername);
      request.resume().on('end', () => response.writeHead(204).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    const origin = `https://hooks.internal:${(server.address() as AddressInfo).port}`;
    const trusted = await post(senderBy({ allow: 'hooks.internal', ca: certificate.cert }), origin);
    expect([trusted.statusCode, trusted.error]).toStrictEqual([204, null]);
    expect(names).toStrictEqual(['hooks.internal']);
    const untrusted = await post(senderBy({ allow: 'hooks.internal' }), origin);
    expect(untrusted.error ?? '').toMatch(/certificate of the endpoint is not accepted/);
  });

  it.each(['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'rebound.example.com', '169.254.169.254'])(
    'a private address is refused before the proxy is asked: %s',
    async (host) => {
      const result = await post(senderBy({}), `https://${host}:${port}`);
      expect(result.error).toMatch(/^The endpoint is not allowed/);
      expect(proxy.asked).toStrictEqual([]);
    },
  );

  it('a name that was public a moment ago, and now has a private address, is refused', async () => {
    const rebound = { allow: '127.0.0.0/8', answers: [['127.0.0.1'], ['10.0.0.1']] };
    expect((await post(senderBy(rebound), `http://example.com:${port}`)).statusCode).toBe(204);
    expect((await post(senderBy(rebound), `http://example.com:${port}`)).error ?? '').toMatch(
      /^The endpoint is not allowed/,
    );
    expect(proxy.asked).toStrictEqual([`127.0.0.1:${port}`]);
  });

  it('the next address is tried if the proxy cannot reach one; if it reaches none, its response is reported', async () => {
    proxy.dropped.add(`127.0.0.3:${port}`);
    proxy.refused.add(`127.0.0.2:${port}`);
    const three = { allow: 'hooks.internal', answers: [['127.0.0.3', '127.0.0.2', '127.0.0.1']] };
    expect((await post(senderBy(three), `http://hooks.internal:${port}`)).statusCode).toBe(204);
    const refused = { allow: 'hooks.internal', answers: [['127.0.0.2']] };
    const result = await post(senderBy(refused), `http://hooks.internal:${port}`);
    expect([result.statusCode, result.error]).toStrictEqual([
      null,
      'The egress proxy did not connect to the endpoint: it answered 403.',
    ]);
  });

  it('a tunnel outlives the time that opening it may take', async () => {
    let connectTimeoutMs = CONNECT_TIMEOUT_FIRST_MS;
    receiver.behave((response) => void setTimeout(() => response.writeHead(204).end(), 2 * connectTimeoutMs));
    // A busy machine may need longer to open the connection.
    await eventually(async () => {
      const result = await post(
        senderBy({ allow: 'hooks.internal', connectTimeoutMs }),
        `http://hooks.internal:${port}`,
      );
      connectTimeoutMs *= 2;
      expect([result.statusCode, result.error]).toStrictEqual([204, null]);
    });
  });

  it('the proxy receives the user and password of its URL', async () => {
    const proxyUrl = proxy.url.replace('//', '//kiln:p%40ss@');
    const sender = senderBy({ allow: 'hooks.internal', proxyUrl });
    expect((await post(sender, `http://hooks.internal:${port}`)).statusCode).toBe(204);
    expect(proxy.authorization).toBe(`Basic ${Buffer.from('kiln:p@ss').toString('base64')}`);
  });

  it('a dead proxy is a failed attempt with a word in the log, and the delivery goes out once there is one again', async () => {
    const kiln = await startWebhooks();
    ends.push(() => kiln.close());
    const gone = await startConnectProxy();
    await gone.close();
    const tenantId = uuidv7();
    const webhook = await kiln.create(tenantId, receiver.url);
    const without = kiln.newWorker({ proxyUrl: gone.url });
    await kiln.happen(fileCompleted(tenantId));
    const list = async () =>
      only((await kiln.read.list({ id: webhook.id, limit: 50 }, contextOf(tenantId))).deliveries);
    const failed = await eventually(async () => {
      const delivery = await list();
      expect(delivery.error).not.toBeNull();
      return delivery;
    });
    expect([failed.status, failed.error]).toStrictEqual(['pending', 'The egress proxy could not be reached.']);
    await without.stop();
    expect(receiver.received).toHaveLength(0);
    const within = kiln.newWorker({ proxyUrl: proxy.url });
    try {
      await kiln.hurry();
      await eventually(async () => (await list()).status === 'delivered');
      expect(receiver.received).toHaveLength(1);
      expect(proxy.asked).toStrictEqual([`127.0.0.1:${port}`]);
    } finally {
      await within.stop();
    }
  });
});

// Real: NATS servers, with and without TLS. Faked: a server that records what it is sent.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, selfSigned, startOwnNats, testNats, type OwnNats } from '@kiln/testing';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../fixtures/test-platform.js';
import { connectBus, type NatsConnection } from './connection.js';

const authority = selfSigned('Own authority');
const stranger = selfSigned('Another authority');
const server = selfSigned('localhost', authority);
const client = selfSigned('kiln', authority);

describe('a bus address of tls://', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kiln-tls-'));
  const connections: NatsConnection[] = [];
  let nats: OwnNats;
  let url: string;
  beforeAll(async () => {
    nats = await startOwnNats();
    url = await nats.useTls({ ...server, clientCa: authority.cert });
  });
  afterEach(() => Promise.all(connections.splice(0).map((connection) => connection.close())));
  afterAll(async () => {
    await nats.stop();
    rmSync(folder, { recursive: true });
  });

  const file = (name: string, pem: string) => {
    writeFileSync(join(folder, name), pem);
    return join(folder, name);
  };
  const own = { sslrootcert: authority.cert, sslcert: client.cert, sslkey: client.key };
  async function connect(address: string, certificates: Record<string, string> = {}): Promise<NatsConnection> {
    const parameters = new URLSearchParams();
    for (const [name, pem] of Object.entries(certificates)) parameters.set(name, file(name, pem));
    const connection = await connectBus({
      url: `${address}?${parameters.toString()}`,
      name: 'test',
      logger: silentLogger,
    });
    connections.push(connection);
    return connection;
  }

  it('connects to a server whose certificate an own authority has signed, and shows its own certificate', async () => {
    const connection = await eventually(() => connect(url, own));
    const received: string[] = [];
    connection.subscribe('secret', { callback: (_error, message) => void received.push(message.string()) });
    connection.publish('secret', 'hello');
    await eventually(() => expect(received).toStrictEqual(['hello']));
  });

  it('refuses a server whose certificate another authority has signed, or that names another host', async () => {
    await eventually(() => connect(url, own));
    await expect(connect(url, { ...own, sslrootcert: stranger.cert })).rejects.toThrow(/verif|signature|certificate/);
    const { sslcert, sslkey } = own;
    await expect(connect(url, { sslcert, sslkey })).rejects.toThrow(/verif|signature|certificate/);
    const other = await startOwnNats();
    try {
      const otherUrl = await other.useTls(selfSigned('elsewhere', authority));
      await eventually(() => expect(connect(otherUrl, own)).rejects.toThrow(/does not match certificate/));
    } finally {
      await other.stop();
    }
  });

  it('is refused by the server without the certificate of a client', async () => {
    await eventually(() => connect(url, own));
    await expect(connect(url, { sslrootcert: authority.cert })).rejects.toThrow();
  });

  it('refuses a server without TLS, also where only certificates in the address ask for TLS', async () => {
    const plain = new URL(await testNats());
    const rest = `${plain.username}:${plain.password}@${plain.host}`;
    await expect(connect(`tls://${rest}`)).rejects.toThrow(/tls/);
    await expect(connect(`nats://${rest}`, { sslrootcert: authority.cert })).rejects.toThrow(/tls/);
    await expect(connect(`nats://${rest}`)).resolves.toBeDefined();
  });

  it.each([
    ['tls', {}],
    ['nats', { sslrootcert: authority.cert }],
  ])('sends nothing over %s:// to a server that pretends', async (protocol, certificates: Record<string, string>) => {
    for (const pretends of [{}, { tls_required: true }, { tls_available: true }]) {
      let heard = '';
      const pretender = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.on('data', (data) => (heard += data.toString('latin1')));
        socket.write(
          `INFO ${JSON.stringify({ server_id: 'x', version: '2.10.0', proto: 1, headers: true, max_payload: 1_000_000, ...pretends })}\r\n`,
        );
        if ('tls_required' in pretends) socket.once('data', () => socket.end('PONG\r\n'));
        if ('tls_available' in pretends) socket.once('data', () => socket.destroy());
      });
      pretender.listen(0, '127.0.0.1');
      await once(pretender, 'listening');
      const { port } = pretender.address() as AddressInfo;
      await expect(connect(`${protocol}://kiln:sesame@localhost:${port}`, certificates)).rejects.toThrow();
      expect(heard).not.toMatch(/CONNECT|sesame|kiln/);
      await new Promise((resolve) => pretender.close(resolve));
    }
  });
});

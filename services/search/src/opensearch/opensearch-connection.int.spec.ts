// Real: TLS, and the client of OpenSearch. Faked: OpenSearch, by a server that records what it is sent.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { selfSigned } from '@kiln/testing';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { OpenSearchConnection } from './opensearch-connection.adapter.js';

const authority = selfSigned('Own authority');
const stranger = selfSigned('Another authority');
const login = { user: 'kiln', password: 'a:secret' };

describe('a connection to OpenSearch by https', () => {
  let server: Server;
  let url: string;
  const authorizations: (string | undefined)[] = [];
  let status = 200;
  const answer = ({ headers }: IncomingMessage, response: ServerResponse) => {
    authorizations.push(headers.authorization);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"status":"green"}');
  };
  beforeAll(async () => {
    server = createServer(selfSigned('localhost', authority), answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `https://localhost:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    await once(server, 'close');
  });

  async function ask(ca: string): Promise<unknown> {
    const connection = await OpenSearchConnection.open({ urls: [url], ...login, ca });
    try {
      return await connection.request(120_000, (client, options) => client.cluster.health({}, options));
    } finally {
      await connection.close();
    }
  }

  it('trusts the authority of the setting, and sends user and password', async () => {
    authorizations.length = 0;
    expect(await ask(authority.cert)).toStrictEqual({ status: 'green' });
    expect(authorizations).toStrictEqual([`Basic ${Buffer.from('kiln:a:secret').toString('base64')}`]);
  });

  it('sends nothing to a server whose certificate another authority has signed', async () => {
    authorizations.length = 0;
    await expect(ask(stranger.cert)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(authorizations).toStrictEqual([]);
  });

  it('names neither user nor password in the error when the login is refused', async () => {
    status = 401;
    const refused: unknown = await ask(authority.cert).catch((error: unknown) => error);
    status = 200;
    expect(refused).toBeInstanceOf(Error);
    expect(`${String(refused)} ${JSON.stringify(refused)}`).not.toMatch(/a:secret|kiln:/);
  });
});

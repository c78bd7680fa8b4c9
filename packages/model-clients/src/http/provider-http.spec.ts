// Real: HTTP on loopback, and a proxy that opens tunnels.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { misbehaviour, startProviderServer, type ProviderServer } from '@kiln/testing';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { endpointName, providerEndpoint, urlOf } from './provider-endpoint.js';
import { ProviderHttp } from './provider-http.js';

const never = new AbortController().signal;
const QUESTION = {
  path: '/embeddings',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ model: 'small', input: ['clay'] }),
  deadlineMs: 60_000,
  responseBytesMax: 100_000,
};

describe('requests to providers', () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await startProviderServer();
  });
  afterEach(() => server.reset());
  afterAll(() => server.close());

  it('use the egress proxy if one is configured', async () => {
    const tunnels: string[] = [];
    const sockets = new Set<Socket>();
    const proxy = createServer().on('connect', (request, client: Socket) => {
      tunnels.push(request.url ?? '');
      const [host = '', port = ''] = (request.url ?? '').split(':');
      const upstream = connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const http = new ProviderHttp({ proxyUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` });
    const endpoint = providerEndpoint('embedding', { baseUrl: `${server.url}/v1` });
    await http.postForJson(endpoint, QUESTION, never);
    expect(tunnels).toStrictEqual([endpoint.baseUrl.host]);
    expect(server.requests).toHaveLength(1);
    await http.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });

  it('follow no redirect, so that a key is never forwarded', async () => {
    const elsewhere = await startProviderServer();
    const http = new ProviderHttp();
    const endpoint = providerEndpoint('embedding', { baseUrl: `${server.url}/v1`, key: 'sk-secret' });
    for (const status of [301, 302, 307, 308]) {
      server.next(misbehaviour.status(status, { location: `${elsewhere.url}/v1/embeddings` }));
      await expect(http.postForJson(endpoint, QUESTION, never)).rejects.toMatchObject({
        fault: 'refused',
        statusCode: status,
      });
    }
    expect(elsewhere.requests).toHaveLength(0);
    await http.close();
    await elsewhere.close();
  });
});

it('paths are appended to a base URL, with or without a slash at its end, and its query is kept', () => {
  const cases: [string, string][] = [
    ['https://a.example', 'https://a.example/embeddings'],
    ['https://a.example/', 'https://a.example/embeddings'],
    ['https://a.example/v1', 'https://a.example/v1/embeddings'],
    ['https://a.example/v1/', 'https://a.example/v1/embeddings'],
    ['https://a.example/openai/v1?api-version=2', 'https://a.example/openai/v1/embeddings?api-version=2'],
  ];
  for (const [baseUrl, url] of cases)
    expect(urlOf(providerEndpoint('embedding', { baseUrl }), '/embeddings').href).toBe(url);
});

it('the name in logs contains no user, key or query', () => {
  const endpoint = providerEndpoint('chat', { baseUrl: 'https://user:pass@a.example:8443/v1/?key=secret', key: 'sk' });
  expect(endpointName(endpoint)).toBe('a.example:8443/v1');
});

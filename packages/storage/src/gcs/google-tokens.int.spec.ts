// Real: the requests. The servers answer as Google may, or as it never does.
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent as HttpAgent, createServer, type RequestListener, type Server } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { accountToken, type GoogleSignInOptions } from './google-tokens.js';

const TOKEN = 'header.secret-claims.signature';
const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

async function failureAt(listener: RequestListener, options: Partial<GoogleSignInOptions> = {}): Promise<unknown> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  open.push(server);
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const identity = { audience: '//iam.googleapis.com/pool', account: 'a@b', subjectToken: async () => TOKEN };
  const agents = { http: new HttpAgent(), https: new HttpsAgent() };
  return accountToken(identity, { agents, endpoints: { tokens: url, accounts: url }, ...options }).then(
    () => null,
    (error: unknown) => error,
  );
}

test('a refusal has the reason of Google without the token, in its text and in everything attached to it', async () => {
  const error = await failureAt((_request, response) => {
    response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant', error_description: `bad: ${TOKEN}` }));
  });
  expect(error).toMatchObject({ code: 'access_denied', message: 'signing in to Google: bad: [redacted]' });
  expect(inspect(error, { depth: 20 })).not.toContain('secret-claims');
});

test('a lost connection and a failure of Google may be tried again, and show no token', async () => {
  const failures = [
    await failureAt((request) => request.socket.destroy()),
    await failureAt((_request, response) => void response.writeHead(503).end('<html>')),
    await failureAt((_request, response) => void response.writeHead(429).end('{}')),
  ];
  for (const error of failures) {
    expect(error).toMatchObject({ code: 'unavailable', retryable: true });
    expect(inspect(error, { depth: 20 })).not.toContain('secret-claims');
  }
});

test('a response that never comes ends at the deadline, and one that has no end at its limit of bytes', async () => {
  const waits = await failureAt(() => undefined, { requestTimeoutMs: 50 });
  expect(waits).toMatchObject({ code: 'unavailable', message: 'signing in to Google: no answer within 50 ms' });
  const endless = await failureAt((_request, response) => {
    response.writeHead(200);
    const send = () => {
      while (!response.destroyed && response.write(' '.repeat(16 * 1024)));
    };
    response.on('drain', send);
    send();
  });
  expect(endless).toMatchObject({ code: 'unavailable' });
});

test('a response that is not one of Google is no token', async () => {
  for (const body of ['', '[]', 'null', '{"access_token":7}', '{"access_token":""}', '{"access_token":"a"}']) {
    const error = await failureAt((_request, response) => void response.end(body));
    expect(error).toMatchObject({ message: expect.stringMatching(/the response is not one of Google$/) });
  }
});

// The exchange of tokens and the API of service accounts, written from Google's documentation, because there is no emulator of them:
// https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token
// https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts
// They refuse requests that the documentation does not describe. Both have one address here.
import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ApiError } from '../google-storage/api-error.js';
import { exchange, type IdentityPool } from './exchange.js';
import { IssuedTokens } from './issued-tokens.js';

export interface GoogleIdentity {
  url: string;
  /** The calls so far, by name. */
  calls: Record<'token' | 'generateAccessToken' | 'signBlob', number>;
  /** Settings that may change. */
  pool: IdentityPool;
  close(): void;
}

export interface GoogleIdentityOptions {
  pool: IdentityPool;
  /** The key file of the service account, whose key signs. */
  accountJson: string;
  /** Receives the tokens of the service account. */
  issued: IssuedTokens;
}

interface Account {
  email: string;
  key: KeyObject;
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const ACCOUNT_CALL = /^\/v1\/projects\/-\/serviceAccounts\/([^/:]+):(\w+)$/;

export async function startGoogleIdentity({
  pool,
  accountJson,
  issued,
}: GoogleIdentityOptions): Promise<GoogleIdentity> {
  const { client_email: email, private_key } = JSON.parse(accountJson) as Record<
    'client_email' | 'private_key',
    string
  >;
  const account: Account = { email, key: createPrivateKey(private_key) };
  /** Tokens of the pool, with their subject. */
  const exchanged = new Map<string, string>();
  const calls = { token: 0, generateAccessToken: 0, signBlob: 0 };

  async function answer(request: IncomingMessage): Promise<object> {
    const [path = '', body] = [request.url, await text(request)];
    if (request.method === 'POST' && path === '/v1/token') {
      calls.token += 1;
      return exchange(pool, exchanged, request.headers['content-type'], new URLSearchParams(body));
    }
    const [, name = '', method] = ACCOUNT_CALL.exec(path) ?? [];
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (decodeURIComponent(name) !== account.email) throw denied(method ?? '');
    if (method === 'generateAccessToken') {
      calls.generateAccessToken += 1;
      if (!pool.impersonators.includes(exchanged.get(token) ?? '')) throw denied('getAccessToken');
      return generateAccessToken(pool, issued, JSON.parse(body) as GenerateBody);
    }
    if (method !== 'signBlob') throw new ApiError(404, 'no such method');
    calls.signBlob += 1;
    if (!issued.isValid(token)) throw new ApiError(401, 'Request had invalid authentication credentials.');
    if (!pool.maySign) throw denied('signBlob');
    const { payload = '' } = JSON.parse(body) as { payload?: string };
    const signature = sign('RSA-SHA256', Buffer.from(payload, 'base64'), account.key);
    return { keyId: 'managed', signedBlob: signature.toString('base64') };
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (content) => response.setHeader('content-type', 'application/json').end(JSON.stringify(content)),
      (error: unknown) => {
        const { status, message } = error instanceof ApiError ? error : new ApiError(500, String(error));
        response.writeHead(status, { 'content-type': 'application/json' });
        // The exchange has refused with a body of OAuth 2.0.
        response.end(message.startsWith('{') ? message : JSON.stringify({ error: { code: status, message } }));
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    pool,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const denied = (right: string) =>
  new ApiError(403, `Permission 'iam.serviceAccounts.${right}' denied on resource (or it may not exist).`);

interface GenerateBody {
  scope?: string[];
  lifetime?: string;
}

function generateAccessToken(
  { tokenSeconds }: IdentityPool,
  issued: IssuedTokens,
  { scope = [], lifetime = '' }: GenerateBody,
): object {
  const seconds = Number(/^(\d+)s$/.exec(lifetime)?.[1]);
  if (!scope.includes(SCOPE) || !(seconds >= 1 && seconds <= 3_600)) throw new ApiError(400, 'bad scope or lifetime');
  const { token, expiration } = issued.issue(tokenSeconds ?? seconds);
  return { accessToken: token, expireTime: expiration.toISOString().replace(/\.\d+/, '') };
}

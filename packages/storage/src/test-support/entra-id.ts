// The token endpoint of Entra ID for applications with a secret or with a federated credential, as its documentation describes it:
// https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface EntraId {
  /** Base URL of the authority. */
  url: string;
  tenantId: string;
  clientId: string;
  clientSecret: string;
  /** The assertion that the federated credential accepts now. */
  assertion: string;
  /** While true, the directory is out of order. */
  isDown: boolean;
  /** Tokens it has given. */
  readonly givenCount: number;
  close(): void;
}

const LIFE_SECONDS = 3_600;

const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export async function startEntraId(): Promise<EntraId> {
  const [tenantId, clientId, clientSecret] = [randomUUID(), randomUUID(), `secret~${randomUUID()}`];
  const state = { assertion: `assertion.${randomUUID()}`, isDown: false, givenCount: 0 };
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(await text(request));
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
    };
    if (state.isDown) return answer(503, failure('temporarily_unavailable', 'AADSTS90033: A transient error.'));
    if (request.method !== 'POST' || request.url !== `/${tenantId}/oauth2/v2.0/token`) {
      return answer(400, failure('invalid_request', 'AADSTS90002: Tenant not found.'));
    }
    if (form.get('grant_type') !== 'client_credentials' || form.get('scope') !== 'https://storage.azure.com/.default') {
      return answer(400, failure('invalid_scope', 'AADSTS70011: The provided request is not valid.'));
    }
    const problem = problemOf(form);
    if (problem !== null) return answer(401, failure('invalid_client', problem));
    state.givenCount += 1;
    answer(200, { token_type: 'Bearer', expires_in: LIFE_SECONDS, access_token: tokenOf(tenantId, clientId) });
  };
  const problemOf = (form: URLSearchParams): string | null => {
    if (form.get('client_id') !== clientId) return 'AADSTS700016: The application was not found in the directory.';
    const assertion = form.get('client_assertion');
    if (assertion === null) {
      return form.get('client_secret') === clientSecret ? null : 'AADSTS7000215: Invalid client secret provided.';
    }
    if (form.get('client_assertion_type') === ASSERTION_TYPE && assertion === state.assertion) return null;
    return `AADSTS700213: No matching federated identity record found for presented assertion ${assertion}.`;
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(state, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tenantId,
    clientId,
    clientSecret,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

const failure = (error: string, sentence: string): object => ({
  error,
  error_description: `${sentence}\r\nTrace ID: ${randomUUID()}\r\nCorrelation ID: ${randomUUID()}`,
});

/** Unsigned: the tests do not verify Microsoft's signature. */
function tokenOf(tenantId: string, clientId: string): string {
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    aud: 'https://storage.azure.com',
    iss: `https://sts.windows.net/${tenantId}/`,
    iat: now,
    nbf: now - 5,
    exp: now + LIFE_SECONDS,
    appid: clientId,
    oid: clientId,
    sub: clientId,
    tid: tenantId,
  };
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ typ: 'JWT', alg: 'RS256' })}.${part(claims)}.${Buffer.from('signature').toString('base64url')}`;
}

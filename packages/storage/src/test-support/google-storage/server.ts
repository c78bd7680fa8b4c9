// The part of Google Cloud Storage that the adapter uses, written from its documentation, because npm has no emulator of it. It refuses
// requests that the documentation does not describe, so that every request which succeeds here is a documented one.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IssuedTokens } from '../google-identity/issued-tokens.js';
import { ApiError } from './api-error.js';
import { checkBearer, type Signatory } from './bearer.js';
import { serveJsonApi } from './json-api.js';
import { MultipartUploads } from './multipart-uploads.js';
import { GoogleObjects } from './objects.js';
import type { Services } from './services.js';
import { serveSignedUrl } from './signed-url.js';
import { ResumableSessions } from './sessions.js';
import { isXmlApi, serveXmlApi } from './xml-api.js';

export interface GoogleStorage {
  url: string;
  /** A service account's key file. */
  credentialsJson: string;
  /** One that the store does not know. */
  foreignCredentialsJson: string;
  sessions: ResumableSessions;
  /** Tokens of the service account, which startGoogleIdentity issues. */
  issued: IssuedTokens;
  close(): Promise<void>;
}

export async function startGoogleStorage(): Promise<GoogleStorage> {
  const directory = await mkdtemp(join(tmpdir(), 'kiln-google-'));
  const [own, foreign] = [newServiceAccount(), newServiceAccount()];
  const issued = new IssuedTokens();
  const objects = new GoogleObjects(directory);
  const sessions = new ResumableSessions(objects);
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const multipart = new MultipartUploads(objects);
  const services: Services = { objects, sessions, multipart, signatory: { ...own.signatory, issued }, url };
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    serve(services, request, response).catch((error: unknown) => {
      if (!response.headersSent) answerError(response, error);
      else response.destroy();
    });
  });
  return {
    url,
    credentialsJson: own.keyFile,
    foreignCredentialsJson: foreign.keyFile,
    sessions,
    issued,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function serve(services: Services, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', services.url);
  if (url.searchParams.has('X-Goog-Signature')) {
    await serveSignedUrl(services, url, request, response);
    return;
  }
  checkBearer(request, services.signatory);
  await (isXmlApi(url) ? serveXmlApi : serveJsonApi)(services, url, request, response);
}

function answerError(response: ServerResponse, error: unknown): void {
  const { status, message } = error instanceof ApiError ? error : new ApiError(500, String(error));
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code: status, message, errors: [{ message, domain: 'global' }] } }));
}

function newServiceAccount(): { signatory: Signatory; keyFile: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const email = 'kiln@tests.iam.gserviceaccount.com';
  const key = {
    type: 'service_account',
    project_id: 'tests',
    client_email: email,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
  return { signatory: { email, publicKey }, keyFile: JSON.stringify(key) };
}

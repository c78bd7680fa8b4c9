// Real: Azurite, and a process with the variables of a pod. Faked: Entra ID, written from its documentation.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startAzurite, type Azurite } from '../test-support/azurite.js';
import { startEntraId, type EntraId } from '../test-support/entra-id.js';
import { createAzureObjectStore, WorkloadIdentityToken } from './index.js';

const SCOPE = 'https://storage.azure.com/.default';
let directory: string;
let tokenFile: string;
let azurite: Azurite;
let entra: EntraId;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kiln-identity-'));
  tokenFile = join(directory, 'azure-identity-token');
  [azurite, entra] = await Promise.all([startAzurite({ tokens: true }), startEntraId()]);
});
beforeEach(async () => {
  entra.isDown = false;
  await writeFile(tokenFile, `${entra.assertion}\n`);
});
afterAll(async () => {
  entra.close();
  await azurite.close();
  await rm(directory, { recursive: true });
});

const identity = (change: object = {}) =>
  new WorkloadIdentityToken({
    authority: `${entra.url}/`,
    tenantId: entra.tenantId,
    clientId: entra.clientId,
    tokenFile,
    ...change,
  });

function openStore() {
  const agents = { http: new HttpAgent(), https: new HttpsAgent({ ca: azurite.ca }) };
  const { url: endpoint, accountName } = azurite;
  return createAzureObjectStore({ endpoint, accountName, container: 'files', token: identity(), agents });
}

test('a process without keys stores objects and signs URLs with the identity of its pod', async () => {
  const program = `
    const { openObjectStore } = await import(${JSON.stringify(new URL('../index.js', import.meta.url).href)});
    const store = await openObjectStore({ ...process.env, KILN_STORAGE_FORCE_PATH_STYLE: false });
    await store.ensureBucket();
    await store.ping();
    const put = await store.signPut('a', { expiresSeconds: 60, contentType: 'text/plain' });
    const { status } = await fetch(put.url, { method: 'PUT', headers: put.headers, body: 'bytes' });
    const link = await store.signGet('a', { expiresSeconds: 3600 });
    const text = await (await fetch(link)).text();
    const { hostname } = new URL(link);
    const signed = [...new URL(link).searchParams.keys()].includes('skoid');
    process.stdout.write(JSON.stringify({ status, text, hostname, signed }));`;
  const certificate = join(directory, 'ca.pem');
  await writeFile(certificate, azurite.ca);
  const before = entra.givenCount;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    env: {
      NODE_EXTRA_CA_CERTS: certificate,
      KILN_STORAGE_PROVIDER: 'azure',
      KILN_STORAGE_BUCKET: 'files',
      KILN_STORAGE_ENDPOINT: azurite.url,
      KILN_STORAGE_AZURE_ACCOUNT: azurite.accountName,
      AZURE_CLIENT_ID: entra.clientId,
      AZURE_TENANT_ID: entra.tenantId,
      AZURE_FEDERATED_TOKEN_FILE: tokenFile,
      AZURE_AUTHORITY_HOST: `${entra.url}/`,
    },
    timeout: 60_000,
  });
  expect(JSON.parse(stdout)).toStrictEqual({ status: 201, text: 'bytes', hostname: 'localhost', signed: true });
  expect(entra.givenCount - before).toBe(1);
});

test('all requests of a store use one token, and a request that its caller cancels takes it from no other', async () => {
  const store = openStore();
  await store.ensureBucket();
  const before = entra.givenCount;
  const other = openStore();
  const controller = new AbortController();
  const cancelled = other.get('missing', { signal: controller.signal });
  const rest = [other.head('a'), other.head('b'), other.list('')];
  controller.abort();
  await expect(cancelled).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all(rest);
  expect(entra.givenCount - before).toBe(1);
});

test('each exchange reads the file again, because Kubernetes replaces the token in it', async () => {
  await identity().getToken(SCOPE);
  const former = entra.assertion;
  entra.assertion = 'assertion.next';
  await writeFile(tokenFile, entra.assertion);
  try {
    expect((await identity().getToken(SCOPE)).token).not.toBe('');
  } finally {
    entra.assertion = former;
  }
});

test('a file that is missing or empty is named by its setting, and may come later', async () => {
  for (const [file, message] of [
    [join(directory, 'none'), /the file in AZURE_FEDERATED_TOKEN_FILE cannot be read \(ENOENT\)/],
    ['/dev/null', /the file in AZURE_FEDERATED_TOKEN_FILE is empty/],
  ] as const) {
    const asked = identity({ tokenFile: file }).getToken(SCOPE);
    await expect(asked).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    await expect(asked).rejects.toThrow(message);
  }
});

test('a refused exchange says why and which settings to check, and never contains the token', async () => {
  await writeFile(tokenFile, 'assertion.of.another.cluster');
  const refused = identity().getToken(SCOPE);
  await expect(refused).rejects.toMatchObject({
    code: 'access_denied',
    retryable: false,
    message: expect.stringMatching(
      /AADSTS700213: No matching federated identity[^]* \[redacted\]\. Check AZURE_CLIENT_ID/,
    ),
  });
  const error: unknown = await refused.catch((thrown: unknown) => thrown);
  expect(JSON.stringify([error, String(error)])).not.toContain('another.cluster');
});

test('a directory that is out of order is reported as such, and the next request asks it again', async () => {
  entra.isDown = true;
  const token = identity();
  await expect(token.getToken(SCOPE)).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  entra.isDown = false;
  expect((await token.getToken(SCOPE)).token).not.toBe('');
});

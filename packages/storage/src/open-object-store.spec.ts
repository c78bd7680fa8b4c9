import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openObjectStore, type StorageVariables } from './open-object-store.js';

const SDKS = ['@aws-sdk/client-s3', '@google-cloud/storage', '@azure/storage-blob'];
const shared = { KILN_STORAGE_BUCKET: 'kiln', KILN_STORAGE_REGION: 'us-east-1', KILN_STORAGE_FORCE_PATH_STYLE: false };
const stores: [string, StorageVariables][] = [
  [
    '@aws-sdk/client-s3',
    { ...shared, KILN_STORAGE_PROVIDER: 's3', KILN_STORAGE_ACCESS_KEY_ID: 'id', KILN_STORAGE_SECRET_ACCESS_KEY: 'x' },
  ],
  ['@google-cloud/storage', { ...shared, KILN_STORAGE_PROVIDER: 'gcs' }],
  [
    '@azure/storage-blob',
    { ...shared, KILN_STORAGE_PROVIDER: 'azure', KILN_STORAGE_AZURE_ACCOUNT: 'kiln', KILN_STORAGE_AZURE_KEY: 'a2V5' },
  ],
];

/** Loaded before the package. Reports which SDKs were imported. */
const watch = `
  import { writeSync } from 'node:fs';
  export async function resolve(specifier, context, next) {
    if (${JSON.stringify(SDKS)}.includes(specifier)) writeSync(1, specifier + '\\n');
    return next(specifier, context);
  }`;
const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

for (const [sdk, variables] of stores) {
  test(`a process with the provider ${variables.KILN_STORAGE_PROVIDER} loads its SDK and no other`, async () => {
    const registration = `import { register } from 'node:module'; register(${JSON.stringify(dataUrl(watch))});`;
    const program = `
      const { openObjectStore } = await import(${JSON.stringify(new URL('index.js', import.meta.url).href)});
      process.stdout.write('imported\\n');
      await openObjectStore(${JSON.stringify(variables)});`;
    const flags = ['--import', dataUrl(registration), '--input-type=module', '--eval', program];
    const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 120_000 });
    const [first, ...loaded] = stdout.trim().split('\n');
    // The package alone loads no SDK.
    expect(first).toBe('imported');
    expect([...new Set(loaded)]).toStrictEqual([sdk]);
  });
}

test('credentials that cannot be used are refused at once', async () => {
  const cases: Partial<StorageVariables>[] = [
    { KILN_STORAGE_PROVIDER: 'azure', KILN_STORAGE_AZURE_CONNECTION_STRING: 'BlobEndpoint=http://127.0.0.1' },
    { KILN_STORAGE_PROVIDER: 'gcs', KILN_STORAGE_GCS_CREDENTIALS: 'not JSON' },
  ];
  for (const variables of cases) {
    const opening = openObjectStore({ KILN_STORAGE_PROVIDER: 's3', ...shared, ...variables });
    await expect(opening).rejects.toMatchObject({ name: 'StorageError', code: 'invalid' });
  }
});

test('an Azure connection string provides account, key and address', async () => {
  const store = await openObjectStore({
    ...shared,
    KILN_STORAGE_PROVIDER: 'azure',
    KILN_STORAGE_AZURE_CONNECTION_STRING:
      'DefaultEndpointsProtocol=https;AccountName=kiln;AccountKey=a2V5PT0=;EndpointSuffix=core.example',
  });
  const { origin, pathname } = new URL(await store.signGet('key', { expiresSeconds: 60 }));
  expect(origin + pathname).toBe('https://kiln.blob.core.example/kiln/key');
});

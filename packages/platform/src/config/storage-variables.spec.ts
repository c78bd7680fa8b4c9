import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { loadConfig } from './load-config.js';
import { checkStorageVariables, storageVariables } from './storage-variables.js';

const schema = z.object(storageVariables).superRefine(checkStorageVariables);
const load = (given: Record<string, string>) => loadConfig(schema, { KILN_STORAGE_BUCKET: 'kiln', ...given });
const keys = { KILN_STORAGE_ACCESS_KEY_ID: 'id', KILN_STORAGE_SECRET_ACCESS_KEY: 'secret' };
const account = { KILN_STORAGE_AZURE_ACCOUNT: 'kiln', KILN_STORAGE_AZURE_KEY: 'a2V5' };
const connection = { KILN_STORAGE_AZURE_CONNECTION_STRING: 'AccountName=kiln;AccountKey=a2V5' };
const identity = {
  KILN_STORAGE_AZURE_ACCOUNT: 'kiln',
  AZURE_CLIENT_ID: 'client',
  AZURE_TENANT_ID: 'tenant',
  AZURE_FEDERATED_TOKEN_FILE: '/var/run/token',
  AZURE_AUTHORITY_HOST: 'https://login.microsoftonline.com/',
};
const serviceAccount = JSON.stringify({ client_email: 'kiln@example', private_key: 'pem' });

test('each provider is accepted with its required variables', () => {
  expect(load(keys).KILN_STORAGE_PROVIDER).toBe('s3');
  load({});
  load({ KILN_STORAGE_PROVIDER: 'gcs' });
  load({ KILN_STORAGE_PROVIDER: 'gcs', KILN_STORAGE_GCS_CREDENTIALS: serviceAccount });
  load({ KILN_STORAGE_PROVIDER: 'azure', ...account });
  load({ KILN_STORAGE_PROVIDER: 'azure', ...connection });
  load({ KILN_STORAGE_PROVIDER: 'azure', ...identity });
});

test('the identity of a pod may be there beside keys, and with another provider', () => {
  load({ KILN_STORAGE_PROVIDER: 'azure', ...identity, ...account });
  const { KILN_STORAGE_AZURE_ACCOUNT: _, ...variables } = identity;
  load({ KILN_STORAGE_PROVIDER: 'azure', ...variables, ...connection });
  load({ ...keys, ...variables });
});

test('every variable that is missing, malformed or of another provider is named, without its value', () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ KILN_STORAGE_ACCESS_KEY_ID: 'id' }, /SECRET_ACCESS_KEY is required beside the other key/],
    [{ KILN_STORAGE_PROVIDER: 'azure' }, /AZURE_ACCOUNT is required[^]*AZURE_KEY is required/],
    [
      { KILN_STORAGE_PROVIDER: 'azure', ...account, ...connection },
      /AZURE_ACCOUNT cannot be combined[^]*AZURE_KEY cannot/,
    ],
    [{ KILN_STORAGE_PROVIDER: 'azure', KILN_STORAGE_AZURE_CONNECTION_STRING: 'x' }, /must hold AccountName/],
    [
      { KILN_STORAGE_PROVIDER: 'azure', KILN_STORAGE_AZURE_ACCOUNT: 'kiln' },
      /AZURE_KEY is required for Azure, unless KILN_STORAGE_AZURE_CONNECTION_STRING or AZURE_FEDERATED_TOKEN_FILE is set/,
    ],
    [
      { KILN_STORAGE_PROVIDER: 'azure', ...identity, AZURE_CLIENT_ID: '', AZURE_TENANT_ID: '' },
      /AZURE_CLIENT_ID is required beside AZURE_FED[^]*AZURE_TENANT_ID is required beside/,
    ],
    [
      { KILN_STORAGE_PROVIDER: 'azure', ...identity, KILN_STORAGE_ENDPOINT: 'http://store.test' },
      /KILN_STORAGE_ENDPOINT must be an https address/,
    ],
    [{ KILN_STORAGE_PROVIDER: 'gcs', KILN_STORAGE_GCS_CREDENTIALS: '{"type":"user"}' }, /JSON key of a service/],
    [{ ...keys, ...account }, /AZURE_ACCOUNT belongs to KILN_STORAGE_PROVIDER=azure, not s3/],
    [{ ...keys, KILN_STORAGE_PROVIDER: 'dropbox' }, /KILN_STORAGE_PROVIDER /],
  ];
  for (const [given, message] of cases) {
    expect(() => load(given)).toThrow(message);
    expect(() => load(given)).not.toThrow('a2V5');
  }
});

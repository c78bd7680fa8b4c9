// The Azure adapter with Azurite.
import { randomBytes } from 'node:crypto';
import { createAzureObjectStore } from './azure-object-store.js';
import { startAzurite } from '../test-support/azurite.js';
import { testObjectStoreContract } from '../test-support/contract/contract.js';
import type { ContractPeer } from '../test-support/contract/peer.js';

async function start(): Promise<ContractPeer> {
  const azurite = await startAzurite();
  return {
    open: ({ wrongKey, bucket = 'files', ...change } = {}) =>
      createAzureObjectStore({
        endpoint: azurite.url,
        container: bucket,
        accountName: azurite.accountName,
        accountKey: wrongKey ? randomBytes(64).toString('base64') : azurite.accountKey,
        ...change,
      }),
    close: () => azurite.close(),
  };
}

testObjectStoreContract('Azure on Azurite', {
  start,
  binds: { contentType: false, sizeBytes: false, version: false, part: false, partBytes: false },
});

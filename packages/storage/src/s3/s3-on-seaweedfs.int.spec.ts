// The S3 adapter with the object store of docker-compose.yml: SeaweedFS.
import { testObjectStoreContract } from '../test-support/contract/contract.js';
import type { ContractPeer } from '../test-support/contract/peer.js';
import { installedProgram, startSeaweedfs, type Program } from '../test-support/counterparts/index.js';
import { createS3ObjectStore } from './index.js';

const program = await installedProgram('weed');
const skip = 'reason' in program ? program.reason : false;

async function start(): Promise<ContractPeer> {
  const { url, accessKeyId, secretAccessKey, ...seaweedfs } = await startSeaweedfs(program as Program);
  const config = { endpoint: url, region: 'us-east-1', bucket: 'files', forcePathStyle: true, accessKeyId };
  return {
    open: ({ wrongKey, ...change } = {}) =>
      createS3ObjectStore({ ...config, secretAccessKey: wrongKey ? 'wrong' : secretAccessKey, ...change }),
    close: () => seaweedfs.close(),
  };
}

testObjectStoreContract('S3 on SeaweedFS', {
  start,
  skip,
  binds: { contentType: true, sizeBytes: true, version: false, part: true, partBytes: true },
  datesPartsInSeconds: true,
});

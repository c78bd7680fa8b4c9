// The S3 adapter with an independent implementation of the protocol: OpenStack Swift.
import { testObjectStoreContract } from '../test-support/contract/contract.js';
import type { ContractPeer } from '../test-support/contract/peer.js';
import { startSwift, swiftPrograms, type SwiftPrograms } from '../test-support/swift/swift.js';
import { createS3ObjectStore } from './index.js';

const programs = await swiftPrograms();
const skip = 'reason' in programs ? programs.reason : false;

async function start(): Promise<ContractPeer> {
  const swift = await startSwift(programs as SwiftPrograms);
  const { url, accessKeyId, secretAccessKey } = swift;
  return {
    open: ({ wrongKey, ...change } = {}) =>
      createS3ObjectStore({
        endpoint: url,
        region: 'us-east-1',
        bucket: 'files',
        forcePathStyle: true,
        accessKeyId,
        secretAccessKey: wrongKey ? 'wrong' : secretAccessKey,
        ...change,
      }),
    close: () => swift.close(),
  };
}

testObjectStoreContract('S3 on Swift', {
  start,
  skip,
  binds: { contentType: true, sizeBytes: true, version: false, part: true, partBytes: true },
  manyKeys: 60, // it deletes fifty a second
});

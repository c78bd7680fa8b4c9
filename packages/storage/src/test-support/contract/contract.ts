// The contract of all adapters, as tests. The spec of each adapter runs them with its own server.
import { afterAll, beforeAll, test } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import { listPages, type ObjectStore } from '../../index.js';
import { testBodies } from './bodies.js';
import { testBrokenUploads } from './broken-uploads.js';
import { testDeletions } from './deletions.js';
import { testFailures } from './failures.js';
import { testListings } from './listings.js';
import type { Contract, ContractOptions, ContractPeer } from './peer.js';
import { testParts } from './parts.js';
import { testSignedUrls } from './signed-urls.js';

export function testObjectStoreContract(title: string, options: ContractOptions): void {
  const contract = prepare(title, options);
  const promises = [
    testBodies,
    testBrokenUploads,
    testFailures,
    testListings,
    testDeletions,
    testSignedUrls,
    testParts,
  ];
  for (const promise of promises) promise(contract);
}

function prepare(
  title: string,
  { start, skip = false, binds, manyKeys = 1_100, datesPartsInSeconds = false }: ContractOptions,
): Contract {
  let running: { peer: ContractPeer; store: ObjectStore } | undefined;
  const started = (): { peer: ContractPeer; store: ObjectStore } => {
    if (running === undefined) throw new Error('the peer has not started');
    return running;
  };
  if (skip === false) {
    beforeAll(async () => {
      const peer = await start();
      running = { peer, store: peer.open() };
      await Promise.all([running.store.ensureBucket(), running.store.ensureBucket()]);
    });
    afterAll(async () => {
      running?.store.close();
      await running?.peer.close();
    });
  }
  return {
    binds,
    manyKeys,
    datesPartsInSeconds,
    get peer() {
      return started().peer;
    },
    get store() {
      return started().store;
    },
    it: (promise, run) => (skip ? test.skip : test)(`${title}: ${promise}`, run, 120_000),
    textOf: async (key, range) => (await buffer((await started().store.get(key, range && { range })).body)).toString(),
    keysOf: async (prefix) => {
      const keys: string[] = [];
      for await (const { objects } of listPages(started().store, prefix)) keys.push(...objects.map(({ key }) => key));
      return keys;
    },
  };
}

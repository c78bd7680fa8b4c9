// The Google adapter against a server written from Google's documentation.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { testObjectStoreContract } from '../test-support/contract/contract.js';
import type { ContractPeer } from '../test-support/contract/peer.js';
import { startGoogleStorage, type GoogleStorage } from '../test-support/google-storage/server.js';
import { createGcsObjectStore } from './gcs-object-store.js';

const MEBIBYTE = 1024 * 1024;
let google: GoogleStorage;

async function start(): Promise<ContractPeer> {
  google = await startGoogleStorage();
  return {
    open: ({ wrongKey, ...change } = {}) =>
      createGcsObjectStore({
        endpoint: google.url,
        bucket: 'files',
        credentialsJson: wrongKey ? google.foreignCredentialsJson : google.credentialsJson,
        ...change,
      }),
    close: () => google.close(),
  };
}

testObjectStoreContract('Google by its documentation', { start, binds: { contentType: true, sizeBytes: true } });

test('an upload goes on where its session stands after breaks and half-kept chunks', async () => {
  const store = createGcsObjectStore({
    endpoint: google.url,
    bucket: 'files',
    credentialsJson: google.credentialsJson,
  });
  const pieces = Array.from({ length: 30 }, (_, at) => Buffer.alloc(MEBIBYTE, at));
  google.sessions.mishaps.push('break', 'keep half', 'break after storing', 'keep half');
  const { sizeBytes } = await store.put('resumed', Readable.from(pieces), { contentType: 'x/y' });
  assert.equal(sizeBytes, 30 * MEBIBYTE);
  assert.equal(google.sessions.mishaps.length, 0);
  assert.ok((await buffer((await store.get('resumed')).body)).equals(Buffer.concat(pieces)));
});

test('a stream that fails midway cancels its session', async () => {
  const store = createGcsObjectStore({
    endpoint: google.url,
    bucket: 'files',
    credentialsJson: google.credentialsJson,
  });
  const failing = Readable.from(
    (async function* () {
      for (let at = 0; at < 20; at += 1) yield Buffer.alloc(MEBIBYTE);
      throw new Error('the source broke');
    })(),
  );
  await assert.rejects(store.put('broken', failing, { contentType: 'x/y' }));
  assert.equal(google.sessions.openCount, 0);
});

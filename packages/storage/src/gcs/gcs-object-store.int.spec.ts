// The Google adapter with a server that is written from Google's documentation.
import { expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
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

testObjectStoreContract('Google by its documentation', {
  start,
  binds: { contentType: true, sizeBytes: true, version: true, part: true, partBytes: false },
});

test('an upload resumes at the offset of its session after lost connections and partially stored chunks', async () => {
  const store = createGcsObjectStore({
    endpoint: google.url,
    bucket: 'files',
    credentialsJson: google.credentialsJson,
  });
  const pieces = Array.from({ length: 30 }, (_, at) => Buffer.alloc(MEBIBYTE, at));
  google.sessions.mishaps.push('break', 'keep half', 'break after storing', 'keep half');
  const { sizeBytes } = await store.put('resumed', Readable.from(pieces), { contentType: 'x/y' });
  expect(sizeBytes).toBe(30 * MEBIBYTE);
  expect(google.sessions.mishaps).toHaveLength(0);
  expect((await buffer((await store.get('resumed')).body)).equals(Buffer.concat(pieces))).toBe(true);
  store.close();
});

test('a stream that fails cancels its upload session', async () => {
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
  await expect(store.put('broken', failing, { contentType: 'x/y' })).rejects.toThrow();
  expect(google.sessions.openCount).toBe(0);
  store.close();
});

test('uploads in parts that began before a given time are aborted, over several pages, but for those to keep', async () => {
  const store = createGcsObjectStore({
    endpoint: google.url,
    bucket: 'files',
    credentialsJson: google.credentialsJson,
  });
  const ids: string[] = [];
  for (let at = 0; at < 5; at += 1) ids.push(await store.beginParts(`stale/${at}`));
  expect(await store.abortStaleUploads({ olderThan: new Date(Date.now() - 3_600_000) })).toBe(0);
  const [kept = ''] = ids;
  const keep = async () => new Set([kept]);
  expect(await store.abortStaleUploads({ olderThan: new Date(Date.now() + 60_000), keep })).toBe(4);
  expect((await store.listParts('stale/0', kept)).parts).toStrictEqual([]);
  await expect(store.listParts('stale/1', ids[1] ?? '')).rejects.toMatchObject({ code: 'not_found' });
  await store.abortParts('stale/0', kept);
  store.close();
});

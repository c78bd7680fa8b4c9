// Real: Postgres. Faked: Google Cloud Storage, by its documentation.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { sourceKey, uuidOf } from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { createGcsObjectStore } from '@kiln/storage/gcs';
import { startGoogleStorage, type GoogleStorage } from '@kiln/storage/test-support';
import { v7 as uuidv7 } from 'uuid';
import { SourceBytes } from '../sources/source-bytes.service.js';
import { contextOf, directUpload, startFiles, UPLOAD_BYTES_MAX, type FilesHarness } from '../test/files-harness.js';
import { ReceiveUpload } from '../uploads/receive-upload.usecase.js';
import { DownloadFile } from './download-file.usecase.js';

let google: GoogleStorage;
let kiln: FilesHarness;
let store: ObjectStore;
beforeAll(async () => {
  google = await startGoogleStorage();
  kiln = await startFiles();
  store = createGcsObjectStore({ endpoint: google.url, bucket: 'files', credentialsJson: google.credentialsJson });
  await store.ensureBucket();
});
afterAll(async () => {
  store.close();
  await kiln.close();
  await google.close();
});

it('the URL of a download returns the version that arrived, or nothing if a later PUT has replaced it', async () => {
  const context = contextOf(uuidv7());
  const input = directUpload();
  await kiln.registerFiles.upload(input, context);
  const fileId = uuidOf('file', input.file_id);
  const key = sourceKey(context.tenantId, fileId);
  await store.put(key, 'first', { contentType: 'text/plain' });
  const { database, files, arrivals, links, buckets, receiveReplacement } = kiln;
  const received = new ReceiveUpload(
    database,
    files,
    arrivals,
    store,
    UPLOAD_BYTES_MAX,
    { wakeUp: () => undefined },
    receiveReplacement,
  );
  expect(await received.execute(context.tenantId, fileId)).toBe(true);
  const download = new DownloadFile(files, store, 60, new SourceBytes(store, links, buckets), buckets);
  const { url } = await download.execute({ id: input.file_id }, context);
  expect(await (await fetch(url)).text()).toBe('first');
  await store.put(key, 'second', { contentType: 'text/plain' });
  expect((await fetch(url)).status).toBe(404);
});

// Real: Postgres, the engine of syncs, the SDKs, Azurite, the embedded object store. Faked: a store without ETags.
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import { createAzureObjectStore } from '@kiln/storage/azure';
import { startAzurite, type Azurite } from '@kiln/storage/test-support';
import { request } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { contextOf } from '../test/connections-harness.js';
import { connectionTo, s3Shape, startScriptedStore, type ScriptedStore } from '../test/scripted-store.js';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

describe('a sync', () => {
  let kiln: SyncsHarness;
  let azurite: Azurite;
  let store: ScriptedStore;
  let tenantId: string;
  beforeAll(async () => {
    [azurite, store] = await Promise.all([startAzurite(), startScriptedStore()]);
    kiln = await startSyncs({ azureEndpoint: azurite.url.replace(azurite.accountName, '{account}') });
    tenantId = uuidv7();
  });
  afterEach(() => kiln.sql(`update syncs set status = 'cancelled' where status in ('pending', 'syncing')`));
  afterAll(async () => {
    await kiln.close();
    await azurite.close();
    await store.close();
  });

  const browsed = async (connectionId: string) => {
    const { objects } = await kiln.browse.browse(
      { id: encodeId('connection', connectionId), limit: 50 },
      contextOf(tenantId),
    );
    return objects.map(({ key }) => key);
  };

  it('stores the directories of Azure as folders, not as files without bytes', async () => {
    const { url: endpoint, accountName, accountKey } = azurite;
    const blobs = createAzureObjectStore({ endpoint, accountName, accountKey, container: 'theirs' });
    await blobs.ensureBucket();
    // A hierarchical namespace marks directories so.
    for (const directory of ['docs', 'docs/empty']) {
      const { url, headers } = await blobs.signPut(directory, { expiresSeconds: 60 });
      const marked = { ...headers, 'x-ms-meta-hdi_isfolder': 'true', 'content-length': '0' };
      expect((await request(url, { method: 'PUT', headers: marked })).statusCode).toBe(201);
    }
    await blobs.put('docs/a.txt', 'a', { contentType: 'text/plain' });
    await blobs.put('zero.txt', '', { contentType: 'text/plain' });
    const connectionId = await kiln.connect(tenantId, {
      provider: 'container_blob',
      name: 'Theirs',
      bucket: 'theirs',
      credentials: { account_name: accountName, account_key: accountKey },
    });
    const preview = await kiln.preview.execute(
      { connection_id: encodeId('connection', connectionId) },
      contextOf(tenantId),
    );
    expect(preview).toMatchObject({ new_files: 2, complete: true });
    const { outcome, row } = await kiln.sync(tenantId, connectionId);
    expect([outcome, row?.synced_count, row?.files_added, row?.skipped]).toStrictEqual(['completed', 2, 2, 0]);
    expect(await kiln.paths(connectionId)).toStrictEqual(['docs/', 'docs/a.txt', 'docs/empty/', 'zero.txt']);
    expect(await browsed(connectionId)).toStrictEqual(['docs/', 'docs/a.txt', 'docs/empty/', 'zero.txt']);
  });

  it('counts a folder marker that has bytes as skipped, and stores its folder', async () => {
    const { objects, put, connection } = await newBucket();
    await put(['a.txt', 'marker/'], 'bytes');
    await put(['empty/'], '');
    const connectionId = await kiln.connect(tenantId, connection);
    const { outcome, row } = await kiln.sync(tenantId, connectionId);
    expect([outcome, row?.files_added, row?.skipped]).toStrictEqual(['completed', 1, 1]);
    expect(await kiln.paths(connectionId)).toStrictEqual(['a.txt', 'empty/', 'marker/']);
    objects.close();
  });

  it('compares the times of objects whose store has no ETags', async () => {
    const listed = (modified: string) => s3Shape.page({ objects: [{ key: 'a.txt', etag: '', modified }] });
    const answer = (text: string) => {
      store.answer = (response) => void response.setHeader('content-type', 'application/xml').end(text);
    };
    const connectionId = await kiln.connect(tenantId, connectionTo(s3Shape, store.url));
    const updated = async () => (await kiln.sync(tenantId, connectionId)).row?.files_updated;
    answer(listed('2026-01-01T00:00:00.000Z'));
    expect([await updated(), await updated()]).toStrictEqual([0, 0]);
    answer(listed('2026-01-02T00:00:00.000Z'));
    const connection_id = encodeId('connection', connectionId);
    expect((await kiln.preview.execute({ connection_id }, contextOf(tenantId))).updated_files).toBe(1);
    expect([await updated(), await updated()]).toStrictEqual([1, 0]);
  });

  it('skips keys that are not text, also at the end of a page, and completes', async () => {
    const page = (keys: string[], next?: string) =>
      s3Shape
        .page({ objects: keys.map((key) => ({ key })), ...(next && { next }) })
        .replace('<Name>', '<EncodingType>url</EncodingType><Name>');
    const pages = [page(['a.txt', 'b%FE', 'b%FF'], '1'), page(['c%00'], '2'), page(['d%C3', 'e.txt'])];
    store.answer = (response, { url = '/' }) => {
      const at = Number(s3Shape.tokenOf(new URL(url, store.url)) ?? 0);
      response.setHeader('content-type', 'application/xml').end(pages[at]);
    };
    const connectionId = await kiln.connect(tenantId, connectionTo(s3Shape, store.url));
    const { outcome, row } = await kiln.sync(tenantId, connectionId);
    expect([outcome, row?.files_added, row?.skipped]).toStrictEqual(['completed', 2, 4]);
    expect(await kiln.paths(connectionId)).toStrictEqual(['a.txt', 'e.txt']);
    expect(await browsed(connectionId)).toStrictEqual(['a.txt']);
  });

  it('gives the files service the time as the version of an object without an ETag, and the header that has it', async () => {
    const headers = { 'last-modified': 'Fri, 02 Jan 2026 00:00:00 GMT', 'content-length': '4' };
    store.answer = (response) => void response.writeHead(200, headers).end('text');
    const { id } = await kiln.create(tenantId, connectionTo(s3Shape, store.url));
    const input = { connection_id: id, path: 'a.txt', filename: 'a.txt', claimed_type: null };
    const { object } = await kiln.openObjects.open(input, contextOf(tenantId));
    expect([object?.etag, object?.etag_header]).toStrictEqual([headers['last-modified'], 'last-modified']);
    const { objects } = await kiln.openObjects.stat({ connection_id: id, paths: ['a.txt'] }, contextOf(tenantId));
    expect(objects).toStrictEqual([{ etag: headers['last-modified'], size_bytes: 4 }]);
  });
});

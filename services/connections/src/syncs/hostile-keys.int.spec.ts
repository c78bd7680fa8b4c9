// Real: Postgres, the engine of syncs, the embedded object store, Azurite. Written from its documentation: Google Cloud Storage.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { encodeId } from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { createAzureObjectStore } from '@kiln/storage/azure';
import { createGcsObjectStore } from '@kiln/storage/gcs';
import { startAzurite, startGoogleStorage, type Azurite } from '@kiln/storage/test-support';
import { request } from 'undici';
import { v7 as uuidv7 } from 'uuid';
import { contextOf, type NewConnection } from '../test/connections-harness.js';
import { hasDotSegment, hostileKeys } from '../test/hostile-keys.js';
import { listsByRange } from './sync.rows.js';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

/** Azure resolves dot segments itself, and stores a slash for a backslash. */
const isKeptByAzure = (key: string) => !hasDotSegment(key) && !key.includes('\\');
const isFile = (key: string) => !key.endsWith('/') && !hasDotSegment(key);

describe('keys that look like paths, markup or URLs', () => {
  let kiln: SyncsHarness;
  let azurite: Azurite;
  let google: Awaited<ReturnType<typeof startGoogleStorage>>;
  beforeAll(async () => {
    [azurite, google] = await Promise.all([startAzurite(), startGoogleStorage()]);
    kiln = await startSyncs({
      azureEndpoint: azurite.url.replace(azurite.accountName, '{account}'),
      gcsEndpoint: google.url,
    });
  });
  afterAll(async () => {
    await kiln.close();
    await azurite.close();
    await google.close();
  });

  const s3 = async () => {
    const { objects, connection } = await newBucket();
    return { objects, connection: connection as NewConnection };
  };
  const azure = async () => {
    const { url: endpoint, accountName, accountKey } = azurite;
    const credentials = { account_name: accountName, account_key: accountKey };
    const objects: ObjectStore = createAzureObjectStore({ endpoint, accountName, accountKey, container: 'theirs' });
    return { objects, connection: { provider: 'container_blob', name: 'n', bucket: 'theirs', credentials } as const };
  };
  const gcs = async () => {
    const { url: endpoint, credentialsJson } = google;
    const objects: ObjectStore = createGcsObjectStore({ endpoint, bucket: 'theirs', credentialsJson });
    const credentials = JSON.parse(credentialsJson) as Record<string, unknown>;
    return { objects, connection: { provider: 'gcs', name: 'n', bucket: 'theirs', credentials } as const };
  };

  it.each([
    ['S3', s3],
    ['Azure', azure],
    ['Google', gcs],
  ])('at %s become nodes that can be read under their own key, or are counted as skipped', async (provider, open) => {
    const { objects, connection } = await open();
    await objects.ensureBucket();
    const keys = provider === 'Azure' ? hostileKeys.filter(isKeptByAzure) : hostileKeys;
    await Promise.all(keys.map((key) => objects.put(key, key.endsWith('/') ? '' : key, { contentType: 'text/plain' })));
    const tenantId = uuidv7();
    const connectionId = await kiln.connect(tenantId, connection);
    kiln.access.pageSize = 7;
    const { outcome, row } = await kiln.sync(tenantId, connectionId);
    const files = keys.filter(isFile);
    const counts = [row?.files_added, row?.skipped];
    expect([outcome, ...counts]).toStrictEqual(['completed', files.length, keys.filter(hasDotSegment).length]);

    const nodes = await kiln.sql<{ id: string; path: string; name: string; is_file: boolean; parent: string | null }>(
      `select n.id, n.path, n.name, n.is_file, p.path as parent from visible_nodes n
         left join visible_nodes p on p.tenant_id = n.tenant_id and p.id = n.parent_id where n.connection_id = $1`,
      [connectionId],
    );
    for (const { path, name, parent, is_file: isOfFile } of nodes) {
      expect(`${parent ?? ''}${name}${isOfFile ? '' : '/'}`).toBe(path);
    }
    const found = nodes.filter((node) => node.is_file);
    expect(found.map(({ path }) => path).toSorted()).toStrictEqual(files.toSorted());
    for (const { id, path } of found) {
      const { url } = await kiln.manageNodes.download({ id: encodeId('node', id) }, contextOf(tenantId));
      const { statusCode, body } = await request(url);
      expect([statusCode, await body.text()]).toStrictEqual([200, path]);
    }
    // A second sync changes nothing. A listing by ranges compares only digests.
    const compare = jest.spyOn(kiln.unlistedNodes, 'compare');
    const again = (await kiln.sync(tenantId, connectionId)).row;
    expect([again?.files_added, again?.files_updated, again?.files_deleted]).toStrictEqual([0, 0, 0]);
    if (again && listsByRange(again)) expect(compare).not.toHaveBeenCalled();
    else expect(provider).toBe('Azure');
    compare.mockRestore();
    objects.close();
  });
});

// Real: Postgres, the engine of syncs, the embedded object store as the bucket of a customer, and rclone, which lists it independently.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { debianPackages } from '@kiln/object-store/debian-packages';
import { testStorage } from '@kiln/testing';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { hasDotSegment, hostileKeys } from '../test/hostile-keys.js';
import { newBucket, startSyncs, type SyncsHarness } from '../test/syncs-harness.js';

// Together with s3cmd, as the specs of the object store unpack it.
const clients = await debianPackages(['rclone', 's3cmd']);
const skip = 'reason' in clients ? clients.reason : null;

/** rclone treats keys as paths: it merges slashes and leaves out names that are no file names. */
const isPath = (key: string) =>
  !hasDotSegment(key) && key.split('/').every((name) => name !== '' && name.length <= 255);

describe('the nodes of a bucket', () => {
  let kiln: SyncsHarness;
  beforeAll(async () => {
    kiln = await startSyncs();
  });
  afterAll(() => kiln.close());

  (skip === null ? it : it.skip)(`are the files that rclone lists${skip === null ? '' : `: ${skip}`}`, async () => {
    if ('reason' in clients) return;
    const { objects, put, connection } = await newBucket();
    await put(hostileKeys.filter(isPath));
    await put(['a/b/c.txt', 'a b/ü.txt'], 'other text');
    const tenantId = uuidv7();
    const connectionId = await kiln.connect(tenantId, connection);
    kiln.access.pageSize = 7;
    expect((await kiln.sync(tenantId, connectionId)).outcome).toBe('completed');
    const { endpoint, accessKeyId, secretAccessKey } = await testStorage();
    const keys = `access_key_id=${accessKeyId},secret_access_key=${secretAccessKey}`;
    const remote = `:s3,provider=Other,env_auth=false,${keys},endpoint='${endpoint}',force_path_style=true:${connection.bucket}`;
    const words = ['lsjson', '-R', '--files-only', '--config', '', '--retries', '1', remote];
    const { stdout } = await promisify(execFile)('rclone', words, { env: clients.environment });
    const listed = JSON.parse(stdout) as { Path: string; Size: number }[];
    const nodes = await kiln.sql<{ path: string; size_bytes: number }>(
      'select path, size_bytes::int as size_bytes from visible_nodes where connection_id = $1 and is_file order by path',
      [connectionId],
    );
    const byPath = (a: { path: string }, b: { path: string }) =>
      Buffer.compare(Buffer.from(a.path), Buffer.from(b.path));
    expect(nodes.length).toBeGreaterThan(20);
    expect(listed.map(({ Path: path, Size: size_bytes }) => ({ path, size_bytes })).toSorted(byPath)).toStrictEqual(
      nodes,
    );
    objects.close();
  });
});

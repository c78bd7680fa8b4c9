// Creates the bucket when it is missing, and requests it as a health check.
import { StorageError } from '../storage.errors.js';
import type { GcsRequests } from './gcs-requests.js';

const PING_TIMEOUT_MS = 3_000;
const NAME_ONLY = { fields: 'name' };

export async function ensureBucket(requests: GcsRequests): Promise<void> {
  const look = { method: 'GET', url: requests.bucketUrl, params: NAME_ONLY } as const;
  const { status } = await requests.json('looking for the bucket', { ...look, accepts: [404] });
  if (status !== 404) return;
  const project = await requests.storage.authClient.getProjectId().catch((error: unknown) => {
    throw new StorageError(
      'invalid',
      'creating the bucket: the credentials name no project; create the bucket yourself',
      {
        cause: error,
      },
    );
  });
  const created = await requests.json('creating the bucket', {
    method: 'POST',
    url: requests.bucketsUrl,
    params: { project },
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: requests.bucket }),
    accepts: [409],
  });
  // Another process created the bucket first. That is fine if this one may use it.
  if (created.status === 409) await requests.json('looking for the bucket', look);
}

/** Lists at most one object, because roles for data lack the permission to get the bucket itself. */
export async function pingBucket(requests: GcsRequests): Promise<void> {
  const { status } = await requests.json('reaching the object store', {
    method: 'GET',
    url: `${requests.bucketUrl}/o`,
    params: { maxResults: 1, fields: 'items(name)' },
    timeoutMs: Math.min(PING_TIMEOUT_MS, requests.timeoutMs),
    accepts: [404],
  });
  if (status === 404) {
    throw new StorageError('invalid', `reaching the object store: the bucket ${requests.bucket} does not exist`);
  }
}

// Deletes many keys, 1,000 per request. All are tried before the failures are reported.
import { DeleteObjectCommand, DeleteObjectsCommand, type _Error as FailedKey } from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { throwDeleteFailures } from '../delete-failures.js';
import type { S3Requests } from './s3-requests.js';

const KEYS_PER_REQUEST = 1_000;
/** Characters that XML 1.0 cannot represent, not even escaped. Keys with them cannot be part of a list. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNWRITABLE_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

export async function deleteKey(requests: S3Requests, key: string): Promise<void> {
  const command = new DeleteObjectCommand({ Bucket: requests.bucket, Key: key });
  await requests.run(`deleting ${key}`, (abortSignal) => requests.client.send(command, { abortSignal }));
}

export async function deleteKeys(requests: S3Requests, keys: readonly string[]): Promise<void> {
  const listed = keys.filter((key) => !UNWRITABLE_IN_XML.test(key));
  const failed: FailedKey[] = [];
  for (let at = 0; at < listed.length; at += KEYS_PER_REQUEST) {
    failed.push(...(await deleteBatch(requests, listed.slice(at, at + KEYS_PER_REQUEST))));
  }
  for (const key of keys) if (UNWRITABLE_IN_XML.test(key)) await deleteKey(requests, key);
  const failures = failed.map(({ Key = '', Message = '', Code }) => ({
    key: Key,
    message: Message,
    denied: Code === 'AccessDenied',
  }));
  throwDeleteFailures(keys.length, failures);
}

async function deleteBatch(requests: S3Requests, keys: readonly string[]): Promise<FailedKey[]> {
  const command = new DeleteObjectsCommand({
    Bucket: requests.bucket,
    Delete: { Objects: keys.map((Key) => ({ Key })), Quiet: true },
  });
  addContentMd5(command);
  const answer = await requests.run('deleting objects', (abortSignal) =>
    requests.client.send(command, { abortSignal }),
  );
  return answer.Errors ?? [];
}

/**
 * Adds Content-MD5, which most stores other than AWS require. The SDK sends a newer checksum instead. AWS documents this workaround:
 * https://github.com/aws/aws-sdk-js-v3/blob/main/supplemental-docs/MD5_FALLBACK.md
 */
function addContentMd5(command: DeleteObjectsCommand): void {
  command.middlewareStack.add(
    (next) => (args) => {
      const { headers, body } = args.request as { headers: Record<string, string>; body: string };
      headers['Content-MD5'] = createHash('md5').update(body).digest('base64');
      return next(args);
    },
    { step: 'build', name: 'contentMd5' },
  );
}

import type { Kiln } from '@kiln/sdk';
import type { QueuedFile } from './upload-queue.js';

type Sent = Pick<QueuedFile, 'blob' | 'name' | 'path' | 'space' | 'key'>;

/** Sends a file through Kiln: the security policy of the page forbids the object store. */
export async function sendFile(kiln: Kiln, { blob, name, path, space, key }: Sent, signal: AbortSignal) {
  // This read fails with the reason if the file has changed or is gone. A failed request states no reason.
  await blob.slice(0, 1).arrayBuffer();
  const fields = {
    filename: name,
    ...(space !== null && { space }),
    ...(blob.type !== '' && { content_type: blob.type }),
    ...(path !== name && { metadata: { path } }),
  };
  return kiln.files.upload(blob, fields, { signal, idempotencyKey: key, throughKiln: true });
}

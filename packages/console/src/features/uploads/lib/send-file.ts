import type { Kiln } from '@kiln/sdk';
import type { QueuedFile } from './upload-queue.js';

/** The SDK sends so much in one request, with retries. Of a larger file it would send the bytes to the object store, which a page may not reach. */
const REPEATED_BYTES_MAX = 1024 * 1024;

type Sent = Pick<QueuedFile, 'blob' | 'name' | 'path' | 'space' | 'key'>;

/** Sends a file through Kiln. A large one goes as a stream, once. */
export const sendFile = (kiln: Kiln, { blob, name, path, space, key }: Sent, signal: AbortSignal) =>
  kiln.files.upload(
    blob.size <= REPEATED_BYTES_MAX ? blob : blob.stream(),
    {
      filename: name,
      ...(space !== null && { space }),
      ...(blob.type !== '' && { content_type: blob.type }),
      ...(path !== name && { metadata: { path } }),
    },
    { signal, idempotencyKey: key },
  );

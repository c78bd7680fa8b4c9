// Puts small content into the answer: text as it is, anything else as a data: URI.
import { unavailable } from '@kiln/contracts';
import { StorageError, type ObjectStore } from '@kiln/storage';

export const INLINE_BYTES_MAX = 1024 * 1024;

const TEXTUAL = /^(text\/|application\/(json|x-ndjson|xml)\b)/;

interface ContentDescription {
  content_type: string;
  size_bytes: number;
}

/** Returns null when the content is larger than 1 MiB, or was replaced since the caller asked. Throws UNAVAILABLE. */
export async function readVariantContent(
  store: Pick<ObjectStore, 'get'>,
  key: string,
  { content_type: contentType, size_bytes: sizeBytes }: ContentDescription,
): Promise<string | null> {
  if (sizeBytes > INLINE_BYTES_MAX) return null;
  const bytes = await readAtMost(store, key, INLINE_BYTES_MAX);
  if (bytes === null) return null;
  if (TEXTUAL.test(contentType)) return bytes.toString('utf8');
  return `data:${contentType};base64,${bytes.toString('base64')}`;
}

async function readAtMost(store: Pick<ObjectStore, 'get'>, key: string, bytesMax: number): Promise<Buffer | null> {
  try {
    const { body, sizeBytes } = await store.get(key);
    if (sizeBytes > bytesMax) {
      body.destroy();
      return null;
    }
    return Buffer.concat(await Array.fromAsync(body as AsyncIterable<Buffer>));
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found') return null;
    throw unavailable('The object store', error);
  }
}

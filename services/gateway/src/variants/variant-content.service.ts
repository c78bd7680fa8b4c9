// Reads contents of variants from the object store. An object never changes: each run writes under keys of its own.
import { unavailable } from '@kiln/contracts';
import { StorageError, type GetOptions, type ObjectStore } from '@kiln/storage';

type Objects = Pick<ObjectStore, 'get'>;

const INLINE_BYTES_MAX = 1024 * 1024;

const TEXTUAL = /^(text\/|application\/(json|x-ndjson|xml)\b)/;

/** Returns text as it is, anything else as a data: URI. Null when it is larger than 1 MiB, or was replaced since. Throws UNAVAILABLE. */
export async function readVariantContent(
  store: Objects,
  key: string,
  { content_type: contentType, size_bytes: sizeBytes }: { content_type: string; size_bytes: number },
): Promise<string | null> {
  if (sizeBytes > INLINE_BYTES_MAX) return null;
  const bytes = await readObject(store, key);
  if (bytes === null || TEXTUAL.test(contentType)) return bytes && bytes.toString('utf8');
  return `data:${contentType};base64,${bytes.toString('base64')}`;
}

/** Returns null when the object was removed. Throws UNAVAILABLE. */
export async function readObject(store: Objects, key: string, options?: GetOptions): Promise<Buffer | null> {
  try {
    const { body } = await store.get(key, options);
    return Buffer.concat(await Array.fromAsync(body as AsyncIterable<Buffer>));
  } catch (error) {
    if (error instanceof StorageError && error.code === 'not_found') return null;
    throw unavailable('The object store', error);
  }
}

// Finds out the content type of stored bytes.
import { SNIFFED_BYTES, sniffContentType } from '@kiln/file-types/sniff-content-type';
import type { ObjectHead, ObjectStore } from '@kiln/storage';
import { buffer } from 'node:stream/consumers';

/** Null when the bytes have changed since `head`. */
export async function sniffStored(
  objects: Pick<ObjectStore, 'get'>,
  key: string,
  { filename, content_type: claimed }: { filename: string; content_type: string | null },
  { sizeBytes, etag: arrived }: Pick<ObjectHead, 'sizeBytes' | 'etag'>,
): Promise<string | null> {
  if (sizeBytes === 0) return sniffContentType({ head: Buffer.alloc(0), filename, claimed });
  const { body, etag } = await objects.get(key, {
    range: { start: 0, end: Math.min(SNIFFED_BYTES, sizeBytes) - 1 },
  });
  if (etag !== arrived) {
    body.destroy();
    return null;
  }
  return sniffContentType({ head: await buffer(body), filename, claimed });
}

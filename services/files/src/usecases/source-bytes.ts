// Where the bytes of files are: in Kiln's own storage, or in a connected bucket.
import type { CallContext } from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import type { BucketObjects } from '../adapters/bucket-objects.js';
import type { BucketPlace, ConnectionFileStore } from '../store/connection-file.store.js';
import { storedBytes } from './stored-bytes.js';

export interface SourceHead {
  sizeBytes: number;
  etag: string;
}

export class SourceBytes {
  constructor(
    private readonly objects: ObjectStore,
    private readonly links: ConnectionFileStore,
    private readonly buckets: BucketObjects,
  ) {}

  /** Null for a file whose bytes lie in Kiln's own storage. */
  async placeOf(tenantId: string, fileId: string): Promise<BucketPlace | null> {
    return (await this.links.places(tenantId, [fileId])).get(fileId) ?? null;
  }

  /** What there is of each file; no entry for one whose bytes are missing. Throws UNAVAILABLE when it can't be known in time. */
  async heads(context: CallContext, fileIds: readonly string[]): Promise<Map<string, SourceHead>> {
    const places = await this.links.places(context.tenantId, fileIds);
    const own = fileIds.filter((id) => !places.has(id));
    const [stored, inBuckets] = await Promise.all([
      storedBytes(this.objects, context, own),
      this.buckets.heads([...places.values()], context),
    ]);
    return new Map<string, SourceHead>([...stored, ...inBuckets]);
  }
}

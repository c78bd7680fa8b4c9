// Knows where the bytes of files are: in Kiln's own storage, or in an external bucket.
import type { CallContext } from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE } from '../config.js';
import type { StoredFileKey } from '../files/file.rows.js';
import { BucketObjects } from './bucket-objects.adapter.js';
import { ConnectionFileStore, type BucketPlace } from './connection-file.store.js';
import type { SourceHead } from './source-head.domain.js';
import { storedBytes } from './stored-bytes.service.js';

@Injectable()
export class SourceBytes {
  constructor(
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    private readonly links: ConnectionFileStore,
    private readonly buckets: BucketObjects,
  ) {}

  /** Null for a file in Kiln's own storage. */
  async placeOf(tenantId: string, fileId: string): Promise<BucketPlace | null> {
    return (await this.links.places(tenantId, [fileId])).get(fileId) ?? null;
  }

  /** Returns size and ETag of each file whose bytes exist. Throws UNAVAILABLE when the deadline is too close. */
  async heads(context: CallContext, files: readonly StoredFileKey[]): Promise<Map<string, SourceHead>> {
    const places = await this.links.places(
      context.tenantId,
      files.map(({ id }) => id),
    );
    const own = files.filter(({ id }) => !places.has(id));
    const [stored, inBuckets] = await Promise.all([
      storedBytes(this.objects, context, own),
      this.buckets.heads([...places.values()], context),
    ]);
    const heads = new Map<string, SourceHead>();
    for (const [id, head] of stored) heads.set(id, { ...head, isReplaceable: false });
    for (const [id, head] of inBuckets) heads.set(id, { ...head, isReplaceable: true });
    return heads;
  }
}

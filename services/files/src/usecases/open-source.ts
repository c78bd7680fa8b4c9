// Opens the bytes of a run's file where they lie in a connected bucket, and keeps what their beginning tells of their type.
import type { CallContext } from '@kiln/contracts';
import type { BucketObjects } from '../adapters/bucket-objects.js';
import type { ConnectionFileStore } from '../store/connection-file.store.js';
import type { BegunFile } from '../store/file.store.js';

export interface OpenedSource {
  url: string | null;
  bucket: string;
  etag_header: string;
  /** Why the bytes can't be read. */
  fault: string | null;
  /** Null when it could not be told. */
  content_type: string | null;
}

const REPLACED =
  'The object in the bucket is another one than when it was listed. Sync the connection and process its files again.';

const unreadable = { url: null, bucket: '', etag_header: '', content_type: null };

export class OpenSource {
  constructor(
    private readonly buckets: BucketObjects,
    private readonly links: ConnectionFileStore,
  ) {}

  /** Null for bytes in Kiln's own storage. Throws BUCKET_UNAVAILABLE when the bucket does not answer. */
  async execute(file: BegunFile, context: CallContext): Promise<OpenedSource | null> {
    if (file.place === null) return null;
    const opened = await this.buckets.open({ ...file.place, filename: file.filename }, file.content_type, context);
    if ('fault' in opened) return { ...unreadable, fault: opened.fault };
    const { url, bucket, etag, etag_header, content_type } = opened.object;
    if (etag !== file.source_etag) return { ...unreadable, bucket, fault: REPLACED };
    if (content_type !== file.content_type) await this.links.setContentType(file.tenant_id, file.id, content_type);
    return { url, bucket, etag_header, fault: null, content_type };
  }
}

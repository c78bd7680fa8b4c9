// Opens the bytes of a run's file where they lie in a connected bucket, and keeps what their beginning tells of their type.
import type { CallContext } from '@kiln/contracts';
import type { BucketObjects } from '../adapters/bucket-objects.js';
import type { ConnectionFileStore } from '../store/connection-file.store.js';
import type { BegunFile } from '../store/file.store.js';

export interface OpenedSource {
  url: string | null;
  etag_header: string;
  /** Why the bytes can't be read. */
  fault: string | null;
  /** Null when it could not be told. */
  content_type: string | null;
}

const REPLACED =
  'The object in the bucket is another one than when it was listed. Sync the connection and process its files again.';

export class OpenSource {
  constructor(
    private readonly buckets: BucketObjects,
    private readonly links: ConnectionFileStore,
  ) {}

  /** Null for bytes in Kiln's own storage. Throws UNAVAILABLE when the bucket can't be asked now. */
  async execute(file: BegunFile, context: CallContext): Promise<OpenedSource | null> {
    if (file.place === null) return null;
    const opened = await this.buckets.open({ ...file.place, filename: file.filename }, file.content_type, context);
    if ('fault' in opened) return { url: null, etag_header: '', fault: opened.fault, content_type: null };
    const { url, etag, etag_header, content_type } = opened.object;
    if (etag !== file.source_etag) return { url: null, etag_header, fault: REPLACED, content_type: null };
    if (content_type !== file.content_type) await this.links.setContentType(file.tenant_id, file.id, content_type);
    return { url, etag_header, fault: null, content_type };
  }
}

// Opens the bytes of a run's file in an external bucket, and records the type that their beginning shows.
import type { CallContext, SourceFaultCode } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import type { FileRow } from '../files/file.rows.js';
import { BucketObjects, type Opened } from './bucket-objects.adapter.js';
import { ConnectionFileStore, type BucketPlace } from './connection-file.store.js';

export interface OpenedSource {
  url: string | null;
  /** Whether the URL contains the credentials of the bucket. */
  url_holds_credentials: boolean;
  bucket: string;
  etag_header: string;
  /** Why the bytes cannot be read. */
  fault: string | null;
  fault_code: SourceFaultCode | null;
  /** Null when it is not known. */
  content_type: string | null;
}

const GONE = 'The object is no longer in the bucket. Sync the connection, or delete the file.';
const REPLACED =
  'The object in the bucket has changed since it was listed. Sync the connection and process its files again.';

const unreadable = { url: null, url_holds_credentials: false, bucket: '', etag_header: '', content_type: null };

@Injectable()
export class OpenSource {
  constructor(
    private readonly buckets: BucketObjects,
    private readonly links: ConnectionFileStore,
  ) {}

  /** Throws BUCKET_UNAVAILABLE when the bucket does not answer. */
  async execute(file: FileRow, place: BucketPlace, context: CallContext): Promise<OpenedSource> {
    const opened =
      (await this.openAt(place.path, file, place, context)) ?? (await this.openMoved(file, place, context));
    if (opened === null) return { ...unreadable, fault: GONE, fault_code: 'corrupt_file' };
    if ('fault' in opened) return { ...unreadable, fault: opened.fault, fault_code: opened.code };
    const { url, url_holds_credentials = false, bucket, etag, etag_header, content_type } = opened.object;
    if (etag !== file.source_etag) return { ...unreadable, bucket, fault: REPLACED, fault_code: 'corrupt_file' };
    if (content_type !== file.content_type) await this.links.setContentType(file.tenant_id, file.id, content_type);
    return { url, url_holds_credentials, bucket, etag_header, fault: null, fault_code: null, content_type };
  }

  private openAt(path: string, { filename, content_type }: FileRow, place: BucketPlace, context: CallContext) {
    return this.buckets.open({ ...place, path, filename }, content_type, context);
  }

  /** The node may have moved after it was read for the link of the file, and before the link was written. */
  private async openMoved(file: FileRow, place: BucketPlace, context: CallContext): Promise<Opened | null> {
    const path = await this.buckets.keyOf(place, context);
    if (path === null || path === place.path) return null;
    await this.links.correct(file.tenant_id, place, path);
    return this.openAt(path, file, place, context);
  }
}

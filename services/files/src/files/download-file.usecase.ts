// Signs a URL for the bytes of a file as they were uploaded, under the file's name. If the file is in an external bucket, the URL
// leads to that bucket.
import { conflict, notFound, uuidOf, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE, SIGNED_URL_SECONDS } from '../config.js';
import { BucketObjects } from '../sources/bucket-objects.adapter.js';
import { SourceBytes } from '../sources/source-bytes.service.js';
import { signedFor } from '../sources/signed-url.service.js';
import { areReplaced, REPLACED_BYTES } from '../sources/source-head.domain.js';
import { storedBytes } from '../sources/stored-bytes.service.js';
import { sourceKeyOf, type FileRow } from './file.rows.js';
import { FileStore } from './file.store.js';

/** Statuses in which the bytes of a file may be missing. */
const MAY_LACK_BYTES: ReadonlySet<FileRow['status']> = new Set(['uploading', 'failed']);

@Injectable()
export class DownloadFile {
  constructor(
    private readonly files: FileStore,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(SIGNED_URL_SECONDS) private readonly signedUrlSeconds: number,
    private readonly sources: SourceBytes,
    private readonly buckets: BucketObjects,
  ) {}

  async execute({ id, space }: FilesInput<'downloadFile'>, context: CallContext): Promise<FilesOutput<'downloadFile'>> {
    const file = await this.files.find(context.tenantId, uuidOf('file', id));
    if (!file || (space !== undefined && file.space !== space)) throw notFound('No file has this id.');
    const place = file.source_etag === null ? null : await this.sources.placeOf(context.tenantId, file.id);
    if (place) return this.buckets.sign({ ...place, filename: file.filename }, context);
    if (MAY_LACK_BYTES.has(file.status) || file.source_etag !== null) await this.checkBytes(file, context);
    const { signed, expiresSeconds } = await signedFor(this.objects, this.signedUrlSeconds, (validSeconds) =>
      this.objects.signGet(sourceKeyOf(file), {
        expiresSeconds: validSeconds,
        etag: file.source_etag ?? undefined,
        filename: file.filename,
        disposition: 'attachment',
        ...(file.content_type === null ? {} : { contentType: file.content_type }),
      }),
    );
    return { url: signed, expires_in: expiresSeconds };
  }

  /** The signed URL of an upload may be used again after its bytes have arrived. */
  private async checkBytes(file: FileRow, context: CallContext): Promise<void> {
    const head = (await storedBytes(this.objects, context, [file])).get(file.id);
    if (!head) throw conflict('The bytes of the file are not in storage. Upload them first.');
    if (areReplaced(file, { ...head, isReplaceable: false })) throw conflict(REPLACED_BYTES);
  }
}

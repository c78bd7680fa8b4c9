// A signed URL to the bytes of a file as they were uploaded, under the file's name; for those in a connected bucket the bucket's own.
import {
  conflict,
  notFound,
  sourceKey,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type filesOperations,
} from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import type { BucketObjects } from '../adapters/bucket-objects.js';
import type { FileRow } from '../store/file.rows.js';
import { FileStore } from '../store/file.store.js';
import type { SourceBytes } from './source-bytes.js';
import { storedBytes } from './stored-bytes.js';

type DownloadOperation = (typeof filesOperations)['downloadFile'];

/** Statuses that a file can have while its bytes are not there. */
const PERHAPS_WITHOUT_BYTES: ReadonlySet<FileRow['status']> = new Set(['uploading', 'failed']);

export class DownloadFile {
  constructor(
    private readonly files: FileStore,
    private readonly objects: ObjectStore,
    private readonly signedUrlSeconds: number,
    private readonly sources: SourceBytes,
    private readonly buckets: BucketObjects,
  ) {}

  async execute(
    { id, space }: OperationInput<DownloadOperation>,
    context: CallContext,
  ): Promise<OperationOutput<DownloadOperation>> {
    const file = await this.files.find(context.tenantId, uuidOf('file', id));
    if (!file || (space !== undefined && file.space !== space)) throw notFound('No file has this id.');
    const place = file.source_etag === null ? null : await this.sources.placeOf(context.tenantId, file.id);
    if (place) return this.buckets.sign({ ...place, filename: file.filename }, context);
    if (PERHAPS_WITHOUT_BYTES.has(file.status) && !(await storedBytes(this.objects, context, [file.id])).has(file.id)) {
      throw conflict('The bytes of the file are not in storage. Upload them first.');
    }
    const url = await this.objects.signGet(sourceKey(file.tenant_id, file.id), {
      expiresSeconds: this.signedUrlSeconds,
      filename: file.filename,
      disposition: 'attachment',
      ...(file.content_type === null ? {} : { contentType: file.content_type }),
    });
    return { url, expires_in: this.signedUrlSeconds };
  }
}

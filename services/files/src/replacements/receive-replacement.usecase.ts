// Records the arrival of bytes that replace the content of a file, or the end of an upload whose bytes did not arrive.
import { notFound, sourceKey, type JobError } from '@kiln/contracts';
import { appendEvents, Database } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE, UPLOAD_BYTES_MAX } from '../config.js';
import { uploadFailed } from '../files/file.events.js';
import { FileStore } from '../files/file.store.js';
import { ArrivalStore } from '../uploads/arrival.store.js';
import { sniffStored } from '../uploads/sniff-stored.service.js';
import { uploadExpired, uploadTooLarge } from '../uploads/upload-faults.domain.js';
import { ReplaceContent } from './replace-content.usecase.js';
import { ReplacementStore, type ReplacementRow } from './replacement.store.js';

@Injectable()
export class ReceiveReplacement {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly replacements: ReplacementStore,
    private readonly replaceContent: ReplaceContent,
    private readonly arrivals: ArrivalStore,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'head' | 'get'>,
    @Inject(UPLOAD_BYTES_MAX) private readonly uploadBytesMax: number,
  ) {}

  /** Returns true when the upload has ended: its bytes have arrived, or were refused as too large. Idempotent. */
  async execute(tenantId: string, uploadId: string): Promise<boolean> {
    const row = await this.replacements.find(tenantId, uploadId);
    if (!row || row.has_arrived) return true;
    const key = sourceKey(tenantId, uploadId);
    const head = await this.objects.head(key);
    if (!head) return false;
    if (head.sizeBytes > this.uploadBytesMax) return this.fail(row, uploadTooLarge(this.uploadBytesMax));
    const contentType = await sniffStored(this.objects, key, row.upload, head);
    // Other bytes have arrived meanwhile, so the next check or notification concerns them.
    if (contentType === null) return false;
    await this.replace(row, { content_type: contentType, size_bytes: head.sizeBytes, source_etag: head.etag });
    return true;
  }

  /** Fails an upload that has expired. Does nothing when its bytes have arrived meanwhile. */
  async expire(tenantId: string, uploadId: string): Promise<void> {
    const row = await this.replacements.find(tenantId, uploadId);
    if (row) await this.fail(row, uploadExpired);
  }

  /** Ends an upload, and fails its job. Returns false when its bytes have arrived. */
  async fail({ tenant_id: tenantId, upload_id: uploadId }: ReplacementRow, error: JobError): Promise<boolean> {
    return this.database.transaction(async (transaction) => {
      const removed = await this.replacements.removePending(transaction, tenantId, uploadId);
      if (!removed) return false;
      const [file] = await this.files.findMany(tenantId, [removed.file_id], transaction);
      if (file) await appendEvents(transaction, [uploadFailed({ ...file, job_id: removed.upload.job_id }, error)]);
      return true;
    });
  }

  /**
   * Checks an upload that has arrived for the last time: its signed URL may have accepted other bytes, which nothing reads but which must not
   * fill the storage. Returns false when they cannot be removed yet.
   */
  async checkEnded(tenantId: string, uploadId: string): Promise<boolean> {
    const fileId = await this.files.findByUpload(tenantId, uploadId);
    const file = fileId === null ? null : await this.files.find(tenantId, fileId);
    const head = file && (await this.objects.head(sourceKey(tenantId, uploadId)));
    if (head && head.etag !== file.source_etag && head.sizeBytes > this.uploadBytesMax) {
      if (!(await this.arrivals.removeTooLarge(tenantId, uploadId))) return false;
    }
    await this.replacements.removeArrived(tenantId, uploadId);
    return true;
  }

  private async replace(
    {
      tenant_id: tenantId,
      upload_id: uploadId,
      file_id: fileId,
      upload: { space, metadata, ...fields },
    }: ReplacementRow,
    stored: { content_type: string; size_bytes: number; source_etag: string },
  ): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const upload = {
        ...fields,
        ...stored,
        tenant_id: tenantId,
        id: uploadId,
        sha256: null,
        status: 'uploaded' as const,
        batch_id: null,
      };
      const replacement = { upload, space: space ?? undefined, metadata: metadata ?? undefined };
      // A deletion locks the file first, too.
      const file = await this.replaceContent.lock(transaction, { id: fileId }, replacement);
      if (!file || !(await this.replacements.markArrived(transaction, tenantId, uploadId))) return;
      const replaced = await this.replaceContent.executeWithin(transaction, file, replacement);
      // The upload must not count as arrived if the file has not changed.
      if (!replaced) throw notFound('No file has this id.');
    });
  }
}

// Notices that the bytes of a direct upload are there, from a notification or by looking; or that they never came in time.
// The stored object's real size and type win over what the caller claimed.
import { conflict, sourceKey, type JobError } from '@kiln/contracts';
import { SNIFFED_BYTES, sniffContentType } from '@kiln/extraction/sniff';
import { appendEvents, Database } from '@kiln/platform';
import type { ObjectHead, ObjectStore } from '@kiln/storage';
import { buffer } from 'node:stream/consumers';
import { areBytesUnseen, uploadExpired, uploadTooLarge } from '../domain/upload-faults.js';
import { processingRequested, uploadFailed } from '../store/file.events.js';
import type { FileRow } from '../store/file.rows.js';
import { FileStore } from '../store/file.store.js';

export class ReceiveUpload {
  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly objects: ObjectStore,
    private readonly uploadBytesMax: number,
    /** Called when there are objects to remove. */
    private readonly onRefused: () => void,
  ) {}

  /** True when the file no longer waits for its bytes: they are there, or too large and were refused. Safe to repeat. */
  async execute(tenantId: string, fileId: string): Promise<boolean> {
    const file = await this.files.find(tenantId, fileId);
    if (!file || file.status !== 'uploading') return true;
    const key = sourceKey(tenantId, fileId);
    const head = await this.objects.head(key);
    if (!head) return false;
    if (this.isTooLarge(file, head)) {
      await this.refuse(tenantId, fileId);
      return true;
    }
    const contentType = await this.sniff(key, file, head.sizeBytes);
    await this.database.transaction(async (transaction) => {
      const arrival = { tenantId, fileId, sizeBytes: head.sizeBytes, contentType, etag: head.etag };
      const arrived = await this.files.markArrived(transaction, arrival);
      if (arrived) await appendEvents(transaction, processingRequested(arrived));
    });
    return true;
  }

  /** Gives up on an upload whose URL has run out. Harmless when it has arrived meanwhile. */
  async expire(tenantId: string, fileId: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const expired = await this.files.markExpired(transaction, tenantId, fileId);
      if (expired) await appendEvents(transaction, [uploadFailed(expired, uploadExpired)]);
    });
  }

  /** Bytes of an upload to a signed URL, which no limit has held back yet. */
  isTooLarge(file: FileRow, { sizeBytes }: Pick<ObjectHead, 'sizeBytes'>): boolean {
    return areBytesUnseen(file) && sizeBytes > this.uploadBytesMax;
  }

  /** The reason for those of `isTooLarge`. */
  get tooLarge(): JobError {
    return uploadTooLarge(this.uploadBytesMax);
  }

  private async refuse(tenantId: string, fileId: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const refused = await this.files.markRefused(transaction, tenantId, fileId);
      if (refused) await appendEvents(transaction, [uploadFailed(refused, this.tooLarge)]);
    });
    this.onRefused();
  }

  /** The file with what storage says of its bytes, if they came after the upload had failed; else as it is. CONFLICT if too large. */
  async receiveLate(file: FileRow, head: Pick<ObjectHead, 'sizeBytes' | 'etag'>): Promise<FileRow> {
    if (file.status !== 'failed' || !areBytesUnseen(file)) return file;
    if (this.isTooLarge(file, head)) throw conflict(this.tooLarge.message);
    const { tenant_id: tenantId, id: fileId } = file;
    const contentType = await this.sniff(sourceKey(tenantId, fileId), file, head.sizeBytes);
    const arrival = { tenantId, fileId, sizeBytes: head.sizeBytes, contentType, etag: head.etag };
    return (await this.files.markArrivedLate(arrival)) ?? file;
  }

  private async sniff(key: string, file: FileRow, sizeBytes: number): Promise<string> {
    const claimed = file.content_type;
    if (sizeBytes === 0) return sniffContentType({ head: Buffer.alloc(0), filename: file.filename, claimed });
    const { body } = await this.objects.get(key, { range: { start: 0, end: Math.min(SNIFFED_BYTES, sizeBytes) - 1 } });
    return sniffContentType({ head: await buffer(body), filename: file.filename, claimed });
  }
}

// Records the arrival of a direct upload after a notification or a check, or records its expiry. The real size and type of the
// stored object replace what the caller claimed.
import { conflict, sourceKey, type JobError } from '@kiln/contracts';
import { appendEvents, Database } from '@kiln/platform';
import type { ObjectHead, ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE, UPLOAD_BYTES_MAX } from '../config.js';
import { ObjectRemovalNotifier } from '../deletion/deletion-notifiers.service.js';
import { processingRequested, uploadFailed } from '../files/file.events.js';
import type { FileRow } from '../files/file.rows.js';
import { FileStore } from '../files/file.store.js';
import { ReceiveReplacement } from '../replacements/receive-replacement.usecase.js';
import { ArrivalStore } from './arrival.store.js';
import { sniffStored } from './sniff-stored.service.js';
import { areBytesUnseen, uploadExpired, uploadTooLarge } from './upload-faults.domain.js';

@Injectable()
export class ReceiveUpload {
  private countBytes: (bytes: number) => void = () => undefined;

  constructor(
    private readonly database: Database,
    private readonly files: FileStore,
    private readonly arrivals: ArrivalStore,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(UPLOAD_BYTES_MAX) private readonly uploadBytesMax: number,
    @Inject(ObjectRemovalNotifier) private readonly removals: Pick<ObjectRemovalNotifier, 'wakeUp'>,
    @Inject(ReceiveReplacement) private readonly receiveReplacement: Pick<ReceiveReplacement, 'execute'>,
  ) {}

  /** Calls `listener` with the size of each file whose bytes have arrived. */
  onArrived(listener: (bytes: number) => void): void {
    this.countBytes = listener;
  }

  /**
   * Returns true when the file is no longer uploading: its bytes have arrived, or were refused as too large. The id may also be that of an
   * upload that replaces the content of a file. Idempotent.
   */
  async execute(tenantId: string, fileId: string): Promise<boolean> {
    const file = await this.files.find(tenantId, fileId);
    if (!file) return this.receiveReplacement.execute(tenantId, fileId);
    if (file.status !== 'uploading') {
      await this.refuseReplacement(file);
      return true;
    }
    const key = sourceKey(tenantId, fileId);
    const head = await this.objects.head(key);
    if (!head) return false;
    if (this.isTooLarge(file, head)) {
      await this.refuse(tenantId, fileId);
      return true;
    }
    const contentType = await sniffStored(this.objects, key, file, head);
    // Other bytes have arrived meanwhile, so the next check or notification concerns them.
    if (contentType === null) return false;
    const isNew = await this.database.transaction(async (transaction) => {
      const arrival = { tenantId, fileId, sizeBytes: head.sizeBytes, contentType, etag: head.etag };
      const arrived = await this.arrivals.markArrived(transaction, arrival);
      if (arrived) await appendEvents(transaction, processingRequested(arrived));
      return arrived !== null;
    });
    if (isNew) this.countBytes(head.sizeBytes);
    return true;
  }

  /** Fails an upload whose signed URL has expired. Does nothing when it has arrived meanwhile. */
  async expire(tenantId: string, fileId: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const expired = await this.arrivals.markExpired(transaction, tenantId, fileId);
      if (expired) await appendEvents(transaction, [uploadFailed(expired, uploadExpired)]);
    });
  }

  /** Whether bytes that came by a signed URL, which has no size limit, exceed the limit. */
  isTooLarge(file: Pick<FileRow, 'sha256' | 'source_etag'>, { sizeBytes }: Pick<ObjectHead, 'sizeBytes'>): boolean {
    return areBytesUnseen(file) && sizeBytes > this.uploadBytesMax;
  }

  get tooLarge(): JobError {
    return uploadTooLarge(this.uploadBytesMax);
  }

  /**
   * Checks an upload that has arrived or expired for the last time. Returns false when bytes over the limit cannot be removed
   * yet: check again later.
   */
  async checkEnded(tenantId: string, fileId: string): Promise<boolean> {
    const file = await this.files.find(tenantId, fileId);
    return file ? this.refuseReplacement(file) : true;
  }

  /**
   * Nothing reads the bytes of a later PUT to the signed URL, but they must not fill the storage. The bytes that arrived stay,
   * even if the limit has been lowered since, unless another upload has replaced them. Returns false when the removal cannot be requested yet.
   */
  private async refuseReplacement(file: FileRow): Promise<boolean> {
    const { tenant_id: tenantId, id, sha256, source_etag: etag, source_id: sourceId } = file;
    const hasOwnSource = sourceId === null;
    const isFromGateway = sha256 !== null && etag === null;
    if (hasOwnSource && isFromGateway) return true;
    const head = await this.objects.head(sourceKey(tenantId, id));
    if (!head || (hasOwnSource && (head.etag === etag || head.sizeBytes <= this.uploadBytesMax))) return true;
    const isRequested = await this.arrivals.removeTooLarge(tenantId, id);
    if (isRequested) this.removals.wakeUp();
    return isRequested;
  }

  private async refuse(tenantId: string, fileId: string): Promise<void> {
    await this.database.transaction(async (transaction) => {
      const refused = await this.arrivals.markRefused(transaction, tenantId, fileId);
      if (refused) await appendEvents(transaction, [uploadFailed(refused, this.tooLarge)]);
    });
    this.removals.wakeUp();
  }

  /**
   * Records bytes that arrived after the upload had failed, and returns the file. Other files are returned unchanged. Throws
   * CONFLICT if the bytes are too large.
   */
  async receiveLate(file: FileRow, head: Pick<ObjectHead, 'sizeBytes' | 'etag'>): Promise<FileRow> {
    if (file.status !== 'failed' || !areBytesUnseen(file)) return file;
    if (this.isTooLarge(file, head)) throw conflict(this.tooLarge.message);
    const { tenant_id: tenantId, id: fileId } = file;
    const contentType = await sniffStored(this.objects, sourceKey(tenantId, fileId), file, head);
    if (contentType === null) throw conflict('The bytes of the file are being replaced. Try again.');
    const arrival = { tenantId, fileId, sizeBytes: head.sizeBytes, contentType, etag: head.etag };
    return (await this.arrivals.markArrivedLate(arrival)) ?? file;
  }
}

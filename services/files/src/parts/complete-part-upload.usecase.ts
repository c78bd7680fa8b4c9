// Makes the object of its parts, and records its arrival at once. A process that dies after the first step leaves an object, which a repeat, a
// notification or a check of pending uploads finds.
import {
  CodedError,
  conflict,
  sourceKey,
  unavailable,
  type CallContext,
  type FilesInput,
  type FilesOutput,
} from '@kiln/contracts';
import { StorageError, type ObjectStore, type StoredPart } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE } from '../config.js';
import { createdFile } from '../files/file.rows.js';
import { ReceiveUpload } from '../uploads/receive-upload.usecase.js';
import { areBytesUnseen, uploadExpired } from '../uploads/upload-faults.domain.js';
import { FindPartUpload, type FoundUpload } from './find-part-upload.service.js';
import { notAvailable } from './part-upload.errors.js';
import { wholeParts } from './part-sizes.domain.js';

type Input = FilesInput<'completePartUpload'>;

const ENDED = 'The object store no longer has the parts of this upload. Abort it, and begin a new one.';
const REJECTED =
  'The object store has rejected the parts. List them, send again those that are wrong, and complete the upload again.';

const isStorage = (error: unknown, ...codes: StorageError['code'][]): boolean =>
  error instanceof StorageError && codes.includes(error.code);

@Injectable()
export class CompletePartUpload {
  constructor(
    private readonly find: FindPartUpload,
    private readonly receiveUpload: ReceiveUpload,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'listParts' | 'completeParts'>,
  ) {}

  /** Idempotent. */
  async execute({ id, parts = [] }: Input, { tenantId }: CallContext): Promise<FilesOutput<'completePartUpload'>> {
    const found = await this.find.any(tenantId, id);
    if (!(await this.isReceived(found))) {
      const refusal = await this.join(found, parts);
      // After a refusal, another request may have completed the upload.
      if (!(await this.isReceived(found))) throw refusal ?? unavailable('The object store');
    }
    return this.result(await this.find.any(tenantId, id));
  }

  private isReceived({ upload }: FoundUpload): Promise<boolean> {
    return this.receiveUpload.execute(upload.tenant_id, upload.file_id).catch(notAvailable);
  }

  /** Returns why the parts do not become an object. */
  private async join(found: FoundUpload, expected: NonNullable<Input['parts']>): Promise<CodedError | null> {
    const { upload } = found;
    try {
      const stored = await this.stored(found);
      const parts = wholeParts(upload, stored, expected);
      await this.objects.completeParts(
        sourceKey(upload.tenant_id, upload.file_id),
        upload.store_upload_id ?? '',
        parts,
      );
      return null;
    } catch (error) {
      if (error instanceof CodedError) return error;
      if (isStorage(error, 'not_found')) return conflict(ENDED);
      if (isStorage(error, 'invalid')) return conflict(REJECTED);
      return notAvailable(error);
    }
  }

  private async stored({ upload }: FoundUpload): Promise<StoredPart[]> {
    const stored: StoredPart[] = [];
    if (upload.store_upload_id === null) return stored;
    const key = sourceKey(upload.tenant_id, upload.file_id);
    for (let hasMore = true; hasMore;) {
      const after = stored.at(-1)?.partNumber ?? 0;
      const page = await this.objects.listParts(key, upload.store_upload_id, { after });
      stored.push(...page.parts);
      hasMore = page.hasMore && page.parts.length > 0;
    }
    return stored;
  }

  private result({ file, upload }: FoundUpload) {
    if (file.status !== 'failed' || !areBytesUnseen(file)) return createdFile(file);
    const { message } = this.receiveUpload.tooLarge;
    if (this.receiveUpload.isTooLarge(file, { sizeBytes: upload.size_bytes }))
      throw new CodedError('PAYLOAD_TOO_LARGE', message);
    throw conflict(uploadExpired.message);
  }
}

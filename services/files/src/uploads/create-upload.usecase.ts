// Registers a file whose bytes arrive by PUT, and signs the URL for them.
import { sourceKey, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE, SIGNED_URL_SECONDS } from '../config.js';
import { createdFile, type NewFile } from '../files/file.rows.js';
import { PendingUploadNotifier } from './pending-upload-notifier.service.js';
import { RegisterFile } from './register-file.usecase.js';

@Injectable()
export class CreateUpload {
  constructor(
    private readonly registerFile: RegisterFile,
    @Inject(OBJECT_STORE) private readonly objects: ObjectStore,
    @Inject(SIGNED_URL_SECONDS) private readonly signedUrlSeconds: number,
    @Inject(PendingUploadNotifier) private readonly pending: Pick<PendingUploadNotifier, 'expectUpload'>,
  ) {}

  async execute(input: FilesInput<'createUpload'>, context: CallContext): Promise<FilesOutput<'createUpload'>> {
    const row = await this.registerFile.execute(input, context);
    this.pending.expectUpload();
    return signedUpload(row, this.objects, this.signedUrlSeconds);
  }
}

/** The answer to an upload whose bytes have not arrived. Where storage can, it accepts no other number of bytes than the claimed one. */
export async function signedUpload(
  row: NewFile,
  objects: Pick<ObjectStore, 'signPut'>,
  expiresSeconds: number,
): Promise<FilesOutput<'createUpload'>> {
  const { url, headers } = await objects.signPut(sourceKey(row.tenant_id, row.id), {
    expiresSeconds,
    ...(row.size_bytes !== null && { sizeBytes: row.size_bytes }),
  });
  return {
    ...createdFile(row),
    upload_url: url,
    upload_method: 'PUT',
    upload_headers: headers,
    expires_in: expiresSeconds,
  };
}

// Registers a file whose bytes arrive in parts. A repeat finds the same file and upload.
import { conflict, uuidOf, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { PART_UPLOAD_SECONDS } from '../config.js';
import { RegisterFiles } from '../uploads/register-files.usecase.js';
import { partBytesOf } from './part-sizes.domain.js';
import { PartUploadStore } from './part-upload.store.js';
import { partUploadOf } from './part-upload.view.js';
import { StartAtStore } from './start-at-store.service.js';

@Injectable()
export class BeginPartUpload {
  constructor(
    private readonly files: RegisterFiles,
    private readonly uploads: PartUploadStore,
    private readonly startAtStore: StartAtStore,
    @Inject(PART_UPLOAD_SECONDS) private readonly expiresSeconds: number,
  ) {}

  async execute(input: FilesInput<'beginPartUpload'>, context: CallContext): Promise<FilesOutput<'beginPartUpload'>> {
    const { tenantId } = context;
    const fileId = uuidOf('file', input.file_id);
    const cut = { size_bytes: input.size_bytes, part_bytes: partBytesOf(input.size_bytes, input.part_bytes) };
    const { expiresSeconds } = this;
    const file = await this.files.inParts(input, context, {
      expiresSeconds,
      add: (transaction) =>
        this.uploads.insert(transaction, { tenant_id: tenantId, file_id: fileId, ...cut }, expiresSeconds),
    });
    const upload = await this.uploads.find(tenantId, fileId);
    if (!upload) throw conflict('A different file has this id.');
    await this.startAtStore.execute(upload);
    return partUploadOf(file, upload);
  }
}

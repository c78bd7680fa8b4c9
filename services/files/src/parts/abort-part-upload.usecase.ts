// Aborts an upload in parts: deletes its file, and with it, in the background, the parts.
import { conflict, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { DeleteFiles } from '../deletion/delete-files.usecase.js';
import { areBytesUnseen } from '../uploads/upload-faults.domain.js';
import { FindPartUpload } from './find-part-upload.service.js';

@Injectable()
export class AbortPartUpload {
  constructor(
    private readonly find: FindPartUpload,
    private readonly deleteFiles: DeleteFiles,
  ) {}

  async execute({ id }: FilesInput<'abortPartUpload'>, context: CallContext): Promise<FilesOutput<'abortPartUpload'>> {
    const { file } = await this.find.any(context.tenantId, id);
    if (!areBytesUnseen(file)) throw conflict('The upload is complete. Delete the file instead.');
    return this.deleteFiles.one({ id }, context);
  }
}

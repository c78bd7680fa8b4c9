// Aborts an upload in parts: deletes its file, and with it, in the background, the parts.
import { conflict, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { DeleteFiles } from '../deletion/delete-files.usecase.js';
import { FindPartUpload } from './find-part-upload.service.js';

@Injectable()
export class AbortPartUpload {
  constructor(
    private readonly find: FindPartUpload,
    private readonly deleteFiles: DeleteFiles,
  ) {}

  /** One statement decides, so that a completion at the same time keeps its file, or finds none. */
  async execute({ id }: FilesInput<'abortPartUpload'>, context: CallContext): Promise<FilesOutput<'abortPartUpload'>> {
    const { file } = await this.find.any(context.tenantId, id);
    if (await this.deleteFiles.unseen(file.id, context)) return { deleted: true };
    await this.find.any(context.tenantId, id);
    throw conflict('The upload is complete. Delete the file instead.');
  }
}

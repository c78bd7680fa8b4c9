// Aborts an upload in parts: deletes its new file, and with it, in the background, the parts. A file whose content it would have replaced
// stays as it is.
import { conflict, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { DeleteFiles } from '../deletion/delete-files.usecase.js';
import { ReceiveReplacement } from '../replacements/receive-replacement.usecase.js';
import { uploadAborted } from '../uploads/upload-faults.domain.js';
import { FindPartUpload } from './find-part-upload.service.js';

@Injectable()
export class AbortPartUpload {
  constructor(
    private readonly find: FindPartUpload,
    private readonly deleteFiles: DeleteFiles,
    private readonly receiveReplacement: ReceiveReplacement,
  ) {}

  /** One statement decides, so that a completion at the same time keeps its file, or finds none. */
  async execute({ id }: FilesInput<'abortPartUpload'>, context: CallContext): Promise<FilesOutput<'abortPartUpload'>> {
    const { upload, replacement } = await this.find.any(context.tenantId, id);
    const isAborted = replacement
      ? this.receiveReplacement.fail(replacement, uploadAborted)
      : this.deleteFiles.unseen(upload.file_id, context);
    if (await isAborted) return { deleted: true };
    await this.find.any(context.tenantId, id);
    throw conflict('The upload is complete. Delete the file instead.');
  }
}

// Checks whether a failed job can be retried, and returns the current request for it. It looks the bytes up again: the bytes of
// an expired upload may have arrived late, and other bytes may have been lost.
import { conflict, notFound, uuidOf, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { jobRequest } from '../files/file.events.js';
import { FileStore } from '../files/file.store.js';
import { SourceBytes } from '../sources/source-bytes.service.js';
import { areReplaced, REPLACED_BYTES } from '../sources/source-head.domain.js';
import { ReceiveUpload } from '../uploads/receive-upload.usecase.js';

@Injectable()
export class PrepareRetry {
  constructor(
    private readonly files: FileStore,
    private readonly receiveUpload: ReceiveUpload,
    private readonly sources: SourceBytes,
  ) {}

  async execute(
    { file_id, job_id }: FilesInput<'prepareRetry'>,
    context: CallContext,
  ): Promise<FilesOutput<'prepareRetry'>> {
    const fileId = uuidOf('file', file_id);
    const file = await this.files.find(context.tenantId, fileId);
    if (!file) throw notFound('The file of this job no longer exists.');
    if (file.job_id !== uuidOf('job', job_id))
      throw conflict('The file has a newer job, which takes the place of this one.');
    const head = (await this.sources.heads(context, [file])).get(fileId);
    if (!head) throw conflict('The bytes of the file are not in storage. Upload it again.');
    if (areReplaced(file, head)) throw conflict(REPLACED_BYTES);
    const request = jobRequest(await this.receiveUpload.receiveLate(file, head));
    if (!request) throw conflict('The file has no job.');
    return request;
  }
}

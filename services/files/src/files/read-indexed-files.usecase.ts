// Reports which files the search index has, and the run that wrote the index of each.
import { encodeId, notFound, uuidOf, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { IndexedFileStore } from './indexed-file.store.js';

@Injectable()
export class ReadIndexedFiles {
  constructor(private readonly files: IndexedFileStore) {}

  async list(
    { after, limit }: FilesInput<'listIndexedFiles'>,
    { tenantId }: CallContext,
  ): Promise<FilesOutput<'listIndexedFiles'>> {
    const ids = await this.files.list(tenantId, after === null ? null : uuidOf('file', after), limit);
    return { file_ids: ids.map((id) => encodeId('file', id)) };
  }

  async get(
    { file_id: id }: FilesInput<'getIndexedFile'>,
    { tenantId }: CallContext,
  ): Promise<FilesOutput<'getIndexedFile'>> {
    const row = await this.files.find(tenantId, uuidOf('file', id));
    if (!row) throw notFound('No file that is indexed has this id.');
    return { file_id: id, ...row, job_id: encodeId('job', row.job_id) };
  }
}

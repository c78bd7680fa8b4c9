// Finds an upload in parts with its file. One of another tenant is not found, like one that does not exist.
import { conflict, notFound, uuidOf } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import type { FileRow } from '../files/file.rows.js';
import { FileStore } from '../files/file.store.js';
import { uploadExpired } from '../uploads/upload-faults.domain.js';
import { PartUploadStore, type PartUploadRow } from './part-upload.store.js';

export interface FoundUpload {
  file: FileRow;
  upload: PartUploadRow;
}

@Injectable()
export class FindPartUpload {
  constructor(
    private readonly files: FileStore,
    private readonly uploads: PartUploadStore,
  ) {}

  /** Throws NOT_FOUND. */
  async any(tenantId: string, id: string): Promise<FoundUpload> {
    const fileId = uuidOf('file', id);
    const [file, upload] = await Promise.all([this.files.find(tenantId, fileId), this.uploads.find(tenantId, fileId)]);
    if (!file || !upload) throw notFound('No upload in parts has this id.');
    return { file, upload };
  }

  /** An upload that accepts parts. Throws NOT_FOUND or CONFLICT. */
  async open(tenantId: string, id: string): Promise<FoundUpload> {
    const found = await this.any(tenantId, id);
    const { status } = found.file;
    if (status === 'failed' || found.upload.expires_at <= new Date()) throw conflict(uploadExpired.message);
    if (status !== 'uploading') throw conflict('The upload is complete, and accepts no more parts.');
    return found;
  }
}

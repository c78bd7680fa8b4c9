// Finds an upload in parts with its file. One of another tenant is not found, like one that does not exist.
import { conflict, notFound, uuidOf } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import type { NewFile } from '../files/file.rows.js';
import { FileStore } from '../files/file.store.js';
import { ReplacementStore, type ReplacementRow } from '../replacements/replacement.store.js';
import { uploadExpired } from '../uploads/upload-faults.domain.js';
import { PartUploadStore, type PartUploadRow } from './part-upload.store.js';

export interface FoundUpload {
  /** The new file, or the file whose content the upload replaces, as the upload will change it. */
  file: NewFile;
  upload: PartUploadRow;
  /** Null for a new file. */
  replacement: ReplacementRow | null;
}

@Injectable()
export class FindPartUpload {
  constructor(
    private readonly files: FileStore,
    private readonly uploads: PartUploadStore,
    private readonly replacements: ReplacementStore,
  ) {}

  /** Throws NOT_FOUND. */
  async any(tenantId: string, id: string): Promise<FoundUpload> {
    const uploadId = uuidOf('file', id);
    const [file, upload] = await Promise.all([
      this.files.find(tenantId, uploadId),
      this.uploads.find(tenantId, uploadId),
    ]);
    if (file && upload) return { file, upload, replacement: null };
    const found = upload && (await this.replacing(upload));
    if (!found) throw notFound('No upload in parts has this id.');
    return found;
  }

  private async replacing(upload: PartUploadRow): Promise<FoundUpload | null> {
    const { tenant_id: tenantId, file_id: uploadId } = upload;
    const replacement = await this.replacements.find(tenantId, uploadId);
    const file = replacement && (await this.files.find(tenantId, replacement.file_id));
    if (!file) return null;
    if (replacement.has_arrived) return { file, upload, replacement };
    const { space, metadata, ...fields } = replacement.upload;
    const changed = { ...file, ...fields, space: space ?? file.space, metadata: metadata ?? file.metadata };
    return { file: { ...changed, status: 'uploading' }, upload, replacement };
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

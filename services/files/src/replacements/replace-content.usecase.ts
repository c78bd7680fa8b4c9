// Gives a file the content of a new upload. The file keeps its id. What its former jobs have made is deleted, and runs of these jobs are
// refused from then on.
import { conflict, encodeId, type CallContext } from '@kiln/contracts';
import { appendEvents, Database, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { fileReplaced, fileUpdated, processingRequested, uploadFailed } from '../files/file.events.js';
import type { FileRow, NewFile } from '../files/file.rows.js';
import { FileUpdateStore } from '../updates/file-update.store.js';
import { sameFile } from '../uploads/new-file.domain.js';
import { uploadReplaced } from '../uploads/upload-faults.domain.js';
import { FileContentStore, type HeldFile, type WantedFile } from './file-content.store.js';

/** A new upload whose bytes are in storage. Its id is that of its bytes. */
export interface Replacement {
  upload: Omit<NewFile, 'space' | 'metadata' | 'external_id'>;
  /** Undefined: the file keeps its space. */
  space: string | undefined;
  /** Undefined: the file keeps its metadata. */
  metadata: NewFile['metadata'] | undefined;
}

@Injectable()
export class ReplaceContent {
  constructor(
    private readonly database: Database,
    private readonly updates: FileUpdateStore,
    private readonly contents: FileContentStore,
  ) {}

  /** Finds the file by the external id of the upload, and replaces its content. Returns null without such a file. Idempotent. Throws CONFLICT. */
  execute(
    { upload, space, metadata }: Replacement & { upload: NewFile },
    { requestId }: CallContext,
  ): Promise<FileRow | null> {
    return this.database.transaction(async (transaction) => {
      const file = await this.lock(transaction, { externalId: upload.external_id ?? '' }, { upload, space });
      if (!file) return null;
      if (upload.id === (file.source_id ?? file.id)) return sameFile(file, upload);
      assertReplaceable(file, upload.id);
      return this.executeWithin(transaction, file, { upload, space, metadata }, requestId);
    });
  }

  /** Returns null if the file does not exist. Spaces are locked before files, as registrations do. */
  async lock(
    transaction: Transaction,
    wanted: WantedFile,
    { upload: { tenant_id: tenantId, id }, space }: Pick<Replacement, 'upload' | 'space'>,
  ): Promise<HeldFile | null> {
    if (space !== undefined) await this.updates.holdSpace(transaction, tenantId, space);
    return this.contents.lock(transaction, tenantId, wanted, id);
  }

  /** Replaces the content of a file that is locked. Returns null if its space was deleted meanwhile. */
  async executeWithin(
    transaction: Transaction,
    { job_number: jobNumber, is_in_bucket: _isInBucket, is_outdated: _isOutdated, ...former }: HeldFile,
    { upload, space, metadata = former.metadata }: Replacement,
    requestId?: string,
  ): Promise<FileRow | null> {
    const { id, external_id } = former;
    const content = {
      ...former,
      ...upload,
      id,
      external_id,
      source_id: upload.id,
      space: space ?? former.space,
      metadata,
    };
    const replaced = await this.contents.replace(transaction, content, { isSpaceHeld: space !== undefined });
    if (!replaced) return null;
    // No bytes will make the former job ready, so it would wait for ever.
    const isJobWaiting = former.status === 'uploading' && former.job_id !== null;
    await appendEvents(transaction, [
      ...(isJobWaiting ? [uploadFailed(former, uploadReplaced)] : []),
      ...fileReplaced(former, jobNumber),
      fileUpdated(replaced, requestId),
      ...processingRequested(replaced),
    ]);
    return replaced;
  }
}

/** Throws CONFLICT. */
export function assertReplaceable(file: HeldFile, uploadId: string): void {
  if (file.is_in_bucket) {
    throw conflict(
      `The file ${encodeId('file', file.id)} is an object of a connection. Replace the object in its bucket, or choose another external_id.`,
    );
  }
  if (file.is_outdated || uploadId === file.id)
    throw conflict('A later upload has replaced the content of the file already.');
}

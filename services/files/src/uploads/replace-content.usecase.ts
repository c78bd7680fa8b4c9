// Gives the file that has an external id the content of a new upload. The file keeps its id. What its former jobs have made is deleted,
// and runs of these jobs are refused from then on.
import { conflict, encodeId, type CallContext } from '@kiln/contracts';
import { appendEvents, Database } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { fileReplaced, fileUpdated, processingRequested } from '../files/file.events.js';
import type { FileRow, NewFile } from '../files/file.rows.js';
import { FileUpdateStore } from '../updates/file-update.store.js';
import { FileContentStore, type HeldFile } from './file-content.store.js';
import { sameFile } from './same-file.domain.js';

/** A new upload whose bytes are in storage. Its id is that of its bytes. */
export interface Replacement {
  upload: NewFile;
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

  /** Returns null if no file has the external id. Idempotent. Throws CONFLICT. */
  execute(replacement: Replacement, { tenantId, requestId }: CallContext): Promise<FileRow | null> {
    const { upload, space, metadata } = replacement;
    return this.database.transaction(async (transaction) => {
      if (space !== undefined) await this.updates.holdSpace(transaction, tenantId, space);
      const externalId = upload.external_id ?? '';
      const file = await this.contents.lock(transaction, { tenantId, externalId, uploadId: upload.id });
      if (!file) return null;
      if (upload.id === (file.source_id ?? file.id)) return sameFile(file, upload);
      refuseIfFixed(file, upload);
      const { job_number, is_in_bucket: _inBucket, is_outdated: _outdated, ...former } = file;
      const content = { ...former, ...upload, id: file.id, source_id: upload.id };
      const changed = { ...content, space: space ?? file.space, metadata: metadata ?? file.metadata };
      const replaced = await this.contents.replace(transaction, changed);
      if (!replaced) return null;
      await appendEvents(transaction, [
        ...fileReplaced(former, job_number),
        fileUpdated(replaced, requestId),
        ...processingRequested(replaced),
      ]);
      return replaced;
    });
  }
}

function refuseIfFixed(file: HeldFile, { id }: NewFile): void {
  if (file.is_in_bucket) {
    throw conflict(
      `The file ${encodeId('file', file.id)} is an object of a connection. Replace the object in its bucket, or choose another external_id.`,
    );
  }
  if (file.is_outdated || id === file.id) throw conflict('A later upload has replaced the content of the file already.');
}

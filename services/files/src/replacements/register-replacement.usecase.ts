// Registers an upload, by a signed URL or in parts, whose bytes will replace the content of a file.
import { conflict, type CallContext, type FilesInput } from '@kiln/contracts';
import { appendEvents, Database, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { processingRequested } from '../files/file.events.js';
import type { NewFile } from '../files/file.rows.js';
import { assertReplaceable } from './replace-content.usecase.js';
import { FileContentStore } from './file-content.store.js';
import { ReplacementStore } from './replacement.store.js';

export interface RegistrationOptions {
  expiresSeconds: number;
  /** Writes more rows in the same transaction. */
  add?: ((transaction: Queryable) => Promise<void>) | undefined;
}

@Injectable()
export class RegisterReplacement {
  constructor(
    private readonly database: Database,
    private readonly contents: FileContentStore,
    private readonly replacements: ReplacementStore,
  ) {}

  /**
   * Returns the file as the upload will change it, or null if no other file has the external id. Idempotent. Throws CONFLICT. The event
   * creates the job, which waits for the bytes.
   */
  execute(
    upload: NewFile,
    { space, metadata }: Pick<FilesInput<'createUpload'>, 'space' | 'metadata'>,
    { tenantId }: CallContext,
    { expiresSeconds, add }: RegistrationOptions,
  ): Promise<NewFile | null> {
    const { job_id, filename, content_type, size_bytes, processing } = upload;
    return this.database.transaction(async (transaction) => {
      const externalId = upload.external_id ?? '';
      const file = await this.contents.lock(transaction, tenantId, { externalId }, upload.id);
      if (!file || file.id === upload.id) return null;
      assertReplaceable(file, upload.id);
      const changed = { ...upload, id: file.id, space: space ?? file.space, metadata: metadata ?? file.metadata };
      const row = {
        tenant_id: tenantId,
        upload_id: upload.id,
        file_id: file.id,
        upload: {
          job_id,
          filename,
          content_type,
          size_bytes,
          processing,
          space: space ?? null,
          metadata: metadata ?? null,
        },
      };
      if (await this.replacements.insert(transaction, row, expiresSeconds)) {
        await add?.(transaction);
        await appendEvents(transaction, processingRequested(changed));
        return changed;
      }
      const known = await this.replacements.find(tenantId, upload.id, transaction);
      if (known?.file_id !== file.id || known.upload.job_id !== job_id) throw conflict('A different file has this id.');
      return changed;
    });
  }
}

// Changes the name, the space, the metadata or the external id of a file. The event has the other services change their copies.
import {
  badRequest,
  METADATA_KEYS_MAX,
  notFound,
  uuidOf,
  type CallContext,
  type FileChanges,
  type FilesInput,
  type FilesOutput,
} from '@kiln/contracts';
import { appendEvents, Database, isUniqueViolation } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { EXTERNAL_ID_INDEX, ExternalIdStore, isTaken } from '../files/external-id.store.js';
import { fileUpdated } from '../files/file.events.js';
import type { FileRow } from '../files/file.rows.js';
import { ReadFiles } from '../files/read-files.usecase.js';
import { FileUpdateStore } from './file-update.store.js';

@Injectable()
export class UpdateFile {
  constructor(
    private readonly database: Database,
    private readonly updates: FileUpdateStore,
    private readonly externalIds: ExternalIdStore,
    private readonly files: ReadFiles,
  ) {}

  /** Idempotent: a repeat changes nothing, and emits no event. */
  async execute({ id, changes }: FilesInput<'updateFile'>, context: CallContext): Promise<FilesOutput<'updateFile'>> {
    const fileId = uuidOf('file', id);
    const isWritten = await this.write(fileId, changes, context);
    if (!isWritten) {
      const externalId = changes.external_id ?? '';
      await this.externalIds.free(context.tenantId, [externalId]);
      if (!(await this.write(fileId, changes, context))) throw isTaken(externalId);
    }
    return this.files.get({ id }, context);
  }

  /** Returns false if the external id is not free. */
  private async write(fileId: string, changes: FileChanges, { tenantId, requestId }: CallContext): Promise<boolean> {
    const work = this.database.transaction(async (transaction) => {
      if (changes.space !== undefined) await this.updates.holdSpace(transaction, tenantId, changes.space);
      const file = await this.updates.lock(transaction, tenantId, fileId);
      if (!file) throw notFound('No file has this id.');
      const changed = changedFile(file, changes);
      if (isDeepStrictEqual(changed, file)) return;
      const written = await this.updates.write(transaction, changed, { isSpaceHeld: changes.space !== undefined });
      if (!written) throw notFound('No file has this id.');
      await appendEvents(transaction, [fileUpdated(written, requestId)]);
    });
    try {
      await work;
      return true;
    } catch (error) {
      if (isUniqueViolation(error, EXTERNAL_ID_INDEX)) return false;
      throw error;
    }
  }
}

/** RFC 7396: null removes a key of the metadata, or the external id. */
function changedFile(file: FileRow, { metadata, ...changes }: FileChanges): FileRow {
  const entries = Object.entries({ ...file.metadata, ...metadata });
  const kept = Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null));
  if (Object.keys(kept).length > METADATA_KEYS_MAX) {
    throw badRequest(`metadata: the file would have more than ${METADATA_KEYS_MAX} keys. Remove keys with null.`);
  }
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...file, ...(Object.fromEntries(given) as Partial<FileRow>), metadata: kept };
}

// Returns the state of an upload in parts, with a page of the parts that are stored.
import {
  decodeCursor,
  pageOf,
  sourceKey,
  unavailable,
  type CallContext,
  type FilesInput,
  type FilesOutput,
} from '@kiln/contracts';
import { StorageError, type ObjectStore, type PartsPage } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { OBJECT_STORE } from '../config.js';
import { FindPartUpload, type FoundUpload } from './find-part-upload.service.js';
import { partUploadOf } from './part-upload.view.js';

const cursorValues = z.tuple([z.int().min(1)]);
const NO_PARTS: PartsPage = { parts: [], hasMore: false };

@Injectable()
export class ReadPartUpload {
  constructor(
    private readonly find: FindPartUpload,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'listParts'>,
  ) {}

  async execute(
    { id, limit, cursor }: FilesInput<'getPartUpload'>,
    { tenantId }: CallContext,
  ): Promise<FilesOutput<'getPartUpload'>> {
    const scope = `parts:${tenantId}:${id}`;
    const [after] = cursor === undefined ? [0] : decodeCursor(scope, cursor, cursorValues);
    const found = await this.find.any(tenantId, id);
    const { parts: stored, hasMore } = await this.page(found, { after, limit: limit + 1 });
    const last = stored.at(-1);
    const { items: parts, next_cursor } = pageOf(stored, {
      limit,
      scope,
      view: ({ partNumber, sizeBytes, etag }) => ({ part_number: partNumber, size_bytes: sizeBytes, etag }),
      keyset: ({ partNumber }) => [partNumber],
      // A store may return fewer parts than requested.
      stoppedAfter: hasMore && last ? [last.partNumber] : null,
    });
    return { ...partUploadOf(found.file, found.upload), parts, next_cursor };
  }

  private async page({ file, upload }: FoundUpload, page: { after: number; limit: number }): Promise<PartsPage> {
    if (file.status !== 'uploading' || upload.store_upload_id === null) return NO_PARTS;
    const key = sourceKey(upload.tenant_id, upload.file_id);
    try {
      return await this.objects.listParts(key, upload.store_upload_id, page);
    } catch (error) {
      if (error instanceof StorageError && error.code === 'not_found') return NO_PARTS;
      throw unavailable('The object store', error);
    }
  }
}

// Returns the state of an upload in parts, with a page of the parts that are stored.
import { decodeCursor, pageOf, sourceKey, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import { StorageError, type ObjectStore, type PartsPage } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { OBJECT_STORE } from '../config.js';
import { ReceiveUpload } from '../uploads/receive-upload.usecase.js';
import { FindPartUpload, type FoundUpload } from './find-part-upload.service.js';
import { notAvailable } from './part-upload.errors.js';
import { partUploadOf } from './part-upload.view.js';

const cursorValues = z.tuple([z.int().min(1)]);
const NO_PARTS: PartsPage = { parts: [], hasMore: false };

@Injectable()
export class ReadPartUpload {
  constructor(
    private readonly find: FindPartUpload,
    private readonly receiveUpload: ReceiveUpload,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'listParts'>,
  ) {}

  async execute(
    { id, limit, cursor }: FilesInput<'getPartUpload'>,
    { tenantId }: CallContext,
  ): Promise<FilesOutput<'getPartUpload'>> {
    const scope = `parts:${tenantId}:${id}`;
    const [after] = cursor === undefined ? [0] : decodeCursor(scope, cursor, cursorValues);
    let found = await this.find.any(tenantId, id);
    const { parts: stored, hasMore } = await this.page(found, { after, limit: limit + 1 });
    // The store may have joined the parts after the request to complete the upload had ended. They must not be sent again.
    if (after === 0 && stored.length === 0 && (await this.hasArrived(found))) found = await this.find.any(tenantId, id);
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

  private async hasArrived({ file, upload }: FoundUpload): Promise<boolean> {
    if (file.status !== 'uploading' || upload.store_upload_id === null) return false;
    return this.receiveUpload.execute(upload.tenant_id, upload.file_id).catch(notAvailable);
  }

  private async page({ file, upload }: FoundUpload, page: { after: number; limit: number }): Promise<PartsPage> {
    if (file.status !== 'uploading' || upload.store_upload_id === null) return NO_PARTS;
    const key = sourceKey(upload.tenant_id, upload.file_id);
    try {
      return await this.objects.listParts(key, upload.store_upload_id, page);
    } catch (error) {
      return error instanceof StorageError && error.code === 'not_found' ? NO_PARTS : notAvailable(error);
    }
  }
}

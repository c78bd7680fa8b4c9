// Removes the parts of an upload that has ended from storage, and then its row: until the row is gone, the removal is repeated.
import { sourceKey } from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE } from '../config.js';
import { PartUploadStore } from './part-upload.store.js';

@Injectable()
export class AbortParts {
  constructor(
    private readonly uploads: PartUploadStore,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'abortParts'>,
  ) {}

  /** Does nothing for a file that was not uploaded in parts. Leaves the object of a complete upload alone. */
  async execute(tenantId: string, fileId: string): Promise<void> {
    const upload = await this.uploads.find(tenantId, fileId);
    if (!upload) return;
    const { store_upload_id: storeUploadId } = upload;
    if (storeUploadId !== null) await this.objects.abortParts(sourceKey(tenantId, fileId), storeUploadId);
    await this.uploads.remove(tenantId, fileId);
  }
}

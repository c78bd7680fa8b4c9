// Begins uploads in parts at the object store, after they were registered: a process that dies in between leaves an upload that the next request
// begins. An upload that has begun but was not recorded has no row, so the search for orphans aborts it.
import { notFound, sourceKey, unavailable } from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE } from '../config.js';
import { PartUploadStore, type PartUploadRow } from './part-upload.store.js';

@Injectable()
export class StartAtStore {
  constructor(
    private readonly uploads: PartUploadStore,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'beginParts' | 'abortParts'>,
  ) {}

  /** Returns the id that the store has given to the upload. Throws UNAVAILABLE, or NOT_FOUND if the upload has ended. */
  async execute({ tenant_id: tenantId, file_id: fileId, store_upload_id: known }: PartUploadRow): Promise<string> {
    if (known !== null) return known;
    const key = sourceKey(tenantId, fileId);
    const storeUploadId = await this.objects.beginParts(key).catch((error: unknown) => {
      throw unavailable('The object store', error);
    });
    if (await this.uploads.begin({ tenantId, fileId, storeUploadId })) return storeUploadId;
    // Another request was faster, or the file was deleted. What cannot be aborted now, the search for orphans aborts.
    await this.objects.abortParts(key, storeUploadId).catch(() => undefined);
    const earlier = (await this.uploads.find(tenantId, fileId))?.store_upload_id;
    if (!earlier) throw notFound('No upload in parts has this id.');
    return earlier;
  }
}

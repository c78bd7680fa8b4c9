// Signs URLs for parts. No URL outlives its upload, so nothing arrives after the last check of the upload.
import { badRequest, sourceKey, type CallContext, type FilesInput, type FilesOutput } from '@kiln/contracts';
import type { ObjectStore } from '@kiln/storage';
import { Inject, Injectable } from '@nestjs/common';
import { OBJECT_STORE, SIGNED_URL_SECONDS } from '../config.js';
import { signedFor } from '../sources/signed-url.service.js';
import { FindPartUpload } from './find-part-upload.service.js';
import { partCountOf, partSizeOf } from './part-sizes.domain.js';
import { StartAtStore } from './start-at-store.service.js';

@Injectable()
export class SignParts {
  constructor(
    private readonly find: FindPartUpload,
    private readonly startAtStore: StartAtStore,
    @Inject(OBJECT_STORE) private readonly objects: Pick<ObjectStore, 'signPart' | 'keysExpireAt'>,
    @Inject(SIGNED_URL_SECONDS) private readonly signedUrlSeconds: number,
  ) {}

  async execute(
    { id, part_numbers: numbers }: FilesInput<'signParts'>,
    { tenantId }: CallContext,
  ): Promise<FilesOutput<'signParts'>> {
    const { upload } = await this.find.open(tenantId, id);
    const count = partCountOf(upload);
    const beyond = numbers.find((number) => number > count);
    if (beyond !== undefined)
      throw badRequest(`part_numbers: the upload has ${count} parts, so part ${beyond} does not exist.`);
    const uploadId = await this.startAtStore.execute(upload);
    const remainingSeconds = Math.floor((upload.expires_at.getTime() - Date.now()) / 1_000);
    const wantedSeconds = Math.max(1, Math.min(this.signedUrlSeconds, remainingSeconds));
    const sign = async (partNumber: number, expiresSeconds: number) => {
      const sizeBytes = partSizeOf(upload, partNumber);
      const options = { uploadId, partNumber, sizeBytes, expiresSeconds };
      const { url, headers } = await this.objects.signPart(sourceKey(tenantId, upload.file_id), options);
      return { part_number: partNumber, size_bytes: sizeBytes, url, headers };
    };
    const { signed, expiresSeconds } = await signedFor(this.objects, wantedSeconds, (validSeconds) =>
      Promise.all(numbers.map((partNumber) => sign(partNumber, validSeconds))),
    );
    return { parts: signed, expires_in: expiresSeconds };
  }
}

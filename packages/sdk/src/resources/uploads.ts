import { Uploads as GeneratedUploads } from '../generated/uploads.js';
import { canBeCut, repeatableSourceOf, type NamedSource, type PartSource } from '../uploads/source.js';
import type { StoredFile } from '../uploads/stored-file.js';
import { registration } from '../uploads/upload-file.js';
import { resumeInParts, uploadInParts } from '../uploads/upload-in-parts.js';
import type { PartsOptions, UploadFields } from '../uploads/upload-options.js';

export class Uploads extends GeneratedUploads {
  /**
   * Uploads a file in parts, four at a time. Only a part that was interrupted is sent again. `kiln.files.upload` does this for files of more
   * than 64 MiB.
   *
   * If this fails, or the process ends, the parts stay: `kiln.uploads.resume` continues with the id that `onBegin` was given, until the upload
   * expires. `kiln.uploads.abort` removes them.
   */
  upload(
    source: Blob | Uint8Array | NamedSource,
    fields: UploadFields = {},
    options: PartsOptions = {},
  ): Promise<StoredFile> {
    const { transport } = this;
    const found = partSourceOf(source);
    return uploadInParts({ transport, api: this }, found, registration(found, fields), options);
  }

  /** Sends the parts that are missing, and returns the file. The source must have the bytes with which the upload began. */
  resume(
    id: string,
    source: Blob | Uint8Array | NamedSource,
    options: Omit<PartsOptions, 'partBytes' | 'onBegin' | 'idempotencyKey'> = {},
  ): Promise<StoredFile> {
    return resumeInParts({ transport: this.transport, api: this }, partSourceOf(source), id, options);
  }
}

function partSourceOf(source: Blob | Uint8Array | NamedSource): PartSource {
  const found = repeatableSourceOf(source);
  if (!canBeCut(found)) throw new TypeError('The source has no slice(start, end), which an upload in parts needs.');
  return found;
}

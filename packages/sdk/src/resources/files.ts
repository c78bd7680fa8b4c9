import { Files as GeneratedFiles } from '../generated/files.js';
import type { Uploadable } from '../uploads/source.js';
import type { StoredFile } from '../uploads/stored-file.js';
import { uploadFile } from '../uploads/upload-file.js';
import type { UploadFields, UploadOptions } from '../uploads/upload-options.js';

export class Files extends GeneratedFiles {
  /**
   * Uploads a file. Bytes and blobs are sent to the object store, with retries. A stream is sent through the gateway, once, because
   * it cannot be read again; so are the bytes at a URL, which this process downloads.
   *
   * Returns when all bytes are stored. Processing then starts: `kiln.jobs.waitFor(file.job_id)`.
   */
  upload(source: Uploadable, fields: UploadFields = {}, options: UploadOptions = {}): Promise<StoredFile> {
    return uploadFile(this.transport, (body, requestOptions) => this.createUpload(body, {}, requestOptions), {
      source,
      fields,
      options,
    });
  }
}

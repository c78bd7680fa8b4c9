import type { RequestOptions } from '../core/options.js';
import type { Schemas } from '../core/operation-types.js';
import { Files as GeneratedFiles } from '../generated/files.js';
import { Uploads } from '../generated/uploads.js';
import type { PartSource, Uploadable } from '../uploads/source.js';
import type { StoredFile } from '../uploads/stored-file.js';
import { uploadFile } from '../uploads/upload-file.js';
import { uploadInParts } from '../uploads/upload-in-parts.js';
import type { PartsOptions, UploadFields } from '../uploads/upload-options.js';

export class Files extends GeneratedFiles {
  /**
   * Uploads a file. Bytes and blobs go to the object store, with retries. Those larger than 64 MiB go in parts. A stream goes through the
   * gateway without retries, because it cannot be read again. With `throughKiln`, every source goes through the gateway. This process
   * downloads the bytes of a URL and sends them as a stream.
   *
   * Returns when all bytes are stored. Processing then starts: `kiln.jobs.waitFor(file.job_id)`.
   */
  upload(source: Uploadable, fields: UploadFields = {}, options: PartsOptions = {}): Promise<StoredFile> {
    const { transport } = this;
    const ways = {
      register: (body: Schemas['UploadRequest'], requestOptions: RequestOptions) =>
        this.createUpload(body, {}, requestOptions),
      inParts: (found: PartSource, body: Schemas['BeginUploadRequest'], partsOptions: PartsOptions) =>
        uploadInParts({ transport, api: new Uploads(transport) }, found, body, partsOptions),
    };
    return uploadFile(transport, ways, { source, fields, options });
  }
}

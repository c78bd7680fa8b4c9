import type { Schemas } from '../core/operation-types.js';

/** A file as it was registered. Its status changes as it is processed: `kiln.files.get(id)`. */
export type StoredFile = Omit<Schemas['CreatedFile'], 'sha256'>;

type Registered = StoredFile & Partial<Schemas['SignedUpload']> & { index?: number };

/** Leaves out the signed URL, and what belongs to it. */
export function storedFileOf(registered: Registered): StoredFile {
  const {
    upload_url: _url,
    upload_method: _method,
    upload_headers: _headers,
    expires_in: _expiresIn,
    index: _index,
    ...file
  } = registered;
  return file;
}

import type { Schemas } from '../core/operation-types.js';

/** A file as it was registered. Its status changes as it is processed: `kiln.files.get(id)`. */
export type StoredFile = Omit<Schemas['CreatedFile'], 'sha256'>;

/** Leaves out the signed URL. */
export function storedFileOf(file: StoredFile): StoredFile {
  const { id, space, filename, content_type, size_bytes, storage_key, status, job_id } = file;
  return { id, space, filename, content_type, size_bytes, storage_key, status, job_id };
}

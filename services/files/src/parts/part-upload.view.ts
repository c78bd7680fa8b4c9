import { encodeId, formatTimestamp, type FilesOutput } from '@kiln/contracts';
import { createdFile, type NewFile } from '../files/file.rows.js';
import { partCountOf } from './part-sizes.domain.js';
import type { PartUploadRow } from './part-upload.store.js';

export const partUploadOf = (file: NewFile, upload: PartUploadRow): FilesOutput<'beginPartUpload'> => ({
  ...createdFile(file),
  id: encodeId('file', upload.file_id),
  ...(file.id !== upload.file_id && { file_id: encodeId('file', file.id) }),
  size_bytes: upload.size_bytes,
  part_bytes: upload.part_bytes,
  part_count: partCountOf(upload),
  expires_at: formatTimestamp(upload.expires_at),
});

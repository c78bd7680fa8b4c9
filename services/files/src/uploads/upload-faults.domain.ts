// Why an upload to a signed URL fails.
import type { JobError } from '@kiln/contracts';

export const uploadExpired: JobError = {
  code: 'upload_expired',
  message: 'The upload was not completed before it expired. Create a new upload.',
  retryable: false,
};

export const uploadAborted: JobError = {
  code: 'upload_expired',
  message: 'The upload was aborted before it was complete. Create a new upload.',
  retryable: false,
};

export const uploadReplaced: JobError = {
  code: 'upload_expired',
  message: 'Another upload has replaced the content of the file before these bytes arrived.',
  retryable: false,
};

export const uploadTooLarge = (bytesMax: number): JobError => ({
  code: 'file_too_large',
  message: `The uploaded object is larger than the ${bytesMax} bytes that a file may have. Upload a smaller one.`,
  retryable: false,
});

/** True for bytes that neither came through the gateway nor were found in storage. */
export const areBytesUnseen = (file: { sha256: string | null; source_etag: string | null }): boolean =>
  file.sha256 === null && file.source_etag === null;

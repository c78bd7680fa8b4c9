// Sends a file and its fields as one form, instead of one request to register it and one for its bytes.
import type { Schemas } from '../core/operation-types.js';
import type { Transport } from '../core/transport.js';
import { multipartBlob, multipartBytes } from './multipart.js';
import type { Bytes, RepeatableSource } from './source.js';
import { storedFileOf, type StoredFile } from './stored-file.js';
import { sendingLimits, type UploadFields, type UploadOptions } from './upload-options.js';

/** Larger files go to the object store directly, unless the caller wants otherwise. */
export const SMALL_BYTES_MAX = 1024 * 1024;

export async function uploadForm(
  transport: Transport,
  source: RepeatableSource,
  fields: UploadFields & { filename: string },
  options: UploadOptions,
): Promise<StoredFile> {
  const { sizeBytes, contentType } = source;
  const bytes = await source.open();
  const typed = { ...(contentType !== undefined && { content_type: contentType }), ...fields };
  const isLargeBlob = bytes instanceof Blob && sizeBytes > SMALL_BYTES_MAX;
  const form = isLargeBlob ? multipartBlob(typed, bytes) : multipartBytes(typed, await read(bytes));
  const headers = { 'content-type': form.contentType };
  const file = await transport.json<Schemas['CreatedFile']>(
    { method: 'POST', path: '/v1/upload', bytes: form.body, headers, isKeyed: true },
    { ...sendingLimits(options, sizeBytes), idempotencyKey: options.idempotencyKey },
  );
  options.onProgress?.({ sentBytes: sizeBytes, totalBytes: sizeBytes });
  return storedFileOf(file);
}

const read = async (bytes: Bytes) =>
  new Uint8Array(await (bytes instanceof Blob ? bytes : new Response(bytes)).arrayBuffer());

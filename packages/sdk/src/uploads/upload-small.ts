// Sends a small file and its fields in one request, instead of one to register it and one for its bytes.
import type { Schemas } from '../core/operation-types.js';
import type { Transport } from '../core/transport.js';
import { multipartBytes } from './multipart.js';
import type { Bytes, RepeatableSource } from './source.js';
import { storedFileOf, type StoredFile } from './stored-file.js';
import { sendingLimits, type UploadFields, type UploadOptions } from './upload-options.js';

/** Larger files go to the object store directly. */
export const SMALL_BYTES_MAX = 1024 * 1024;

export async function uploadSmall(
  transport: Transport,
  source: RepeatableSource,
  fields: UploadFields & { filename: string },
  options: UploadOptions,
): Promise<StoredFile> {
  const { sizeBytes, contentType } = source;
  const bytes = await bytesOf(await source.open());
  const typed = { ...(contentType !== undefined && { content_type: contentType }), ...fields };
  const { body, contentType: bodyType } = multipartBytes(typed, bytes);
  const file = await transport.json<Schemas['CreatedFile']>(
    { method: 'POST', path: '/v1/upload', bytes: body, headers: { 'content-type': bodyType }, isKeyed: true },
    { ...sendingLimits(options, sizeBytes), idempotencyKey: options.idempotencyKey },
  );
  options.onProgress?.({ sentBytes: bytes.length, totalBytes: bytes.length });
  return storedFileOf(file);
}

const bytesOf = async (bytes: Bytes) =>
  new Uint8Array(await (bytes instanceof Blob ? bytes : new Response(bytes)).arrayBuffer());

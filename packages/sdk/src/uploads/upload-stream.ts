// Sends a stream through the gateway, which needs no length. A stream is read once, so it is sent once.
import type { Schemas } from '../core/operation-types.js';
import type { Transport } from '../core/transport.js';
import { countedStream } from './counted-stream.js';
import { multipartStream } from './multipart.js';
import type { StreamSource } from './source.js';
import { storedFileOf, type StoredFile } from './stored-file.js';
import { sendingLimits, type UploadFields, type UploadOptions } from './upload-options.js';

export async function uploadStream(
  transport: Transport,
  { stream, contentType }: StreamSource,
  fields: UploadFields & { filename: string },
  options: UploadOptions,
): Promise<StoredFile> {
  const counted = countedStream(stream, null, options.onProgress);
  const { body, contentType: bodyType } = multipartStream(
    { ...(contentType !== undefined && { content_type: contentType }), ...fields },
    counted,
  );
  const file = await transport.json<Schemas['CreatedFile']>(
    { method: 'POST', path: '/v1/upload', stream: body, headers: { 'content-type': bodyType }, isKeyed: true },
    { ...sendingLimits(options, null), idempotencyKey: options.idempotencyKey },
  );
  return storedFileOf(file);
}

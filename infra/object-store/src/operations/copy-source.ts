// The source of CopyObject and UploadPartCopy: x-amz-copy-source with its conditions and range.
import { fromByteString, isUtf8, percentDecode } from '../byte-string.js';
import type { ObjectDescription } from '../disk/object-file.js';
import type { OperationContext } from '../operation.js';
import { S3Error } from '../s3-errors.js';
import { checkReadConditions } from './conditions.js';
import { parseRange } from './range.js';

const READ_BYTES = 256 * 1024;

export interface CopySource {
  bucket: string;
  key: string;
  object: ObjectDescription;
  pieces(): AsyncIterable<Buffer>;
  close(): Promise<void>;
}

export async function openCopySource({ request, services }: OperationContext): Promise<CopySource> {
  const { bucket, key } = parseCopySource(request.header('x-amz-copy-source') ?? '');
  const { handle, description } = await (await services.buckets.get(bucket)).open(key);
  try {
    checkReadConditions(request, description, 'x-amz-copy-source-');
    const range = parseRange(request.header('x-amz-copy-source-range'), description.sizeBytes);
    const { start, end } = range ?? { start: 0, end: description.sizeBytes - 1 };
    return {
      bucket,
      key,
      object: description,
      pieces: () =>
        end < start
          ? emptyBody()
          : handle.createReadStream({ start, end, highWaterMark: READ_BYTES, autoClose: false }),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** `[/]bucket/key`, URL-encoded. Versions are not supported. */
function parseCopySource(header: string): { bucket: string; key: string } {
  const encoded = header.replace(/\?versionId=.*$/, '').replace(/^\//, '');
  const bytes = percentDecode(encoded);
  const at = bytes.indexOf('/');
  if (at < 1 || at === bytes.length - 1 || !isUtf8(bytes))
    throw new S3Error('InvalidArgument', 'x-amz-copy-source is not valid.');
  return { bucket: fromByteString(bytes.slice(0, at)), key: fromByteString(bytes.slice(at + 1)) };
}

async function* emptyBody(): AsyncGenerator<Buffer> {
  // nothing to yield
}

// The headers that are stored with an object.
import type { S3Request } from '../request.js';
import { S3Error } from '../s3-errors.js';

const KEPT = [
  'content-type',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'expires',
];
const METADATA_PREFIX = 'x-amz-meta-';
const METADATA_BYTES_MAX = 8 * 1024;
const CONTENT_TYPE_DEFAULT = 'binary/octet-stream';

export function objectHeaders(request: S3Request): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': CONTENT_TYPE_DEFAULT };
  for (const name of KEPT) {
    const value = name === 'content-encoding' ? contentEncoding(request) : request.header(name);
    if (value !== undefined && value !== '') headers[name] = value;
  }
  let metadataBytes = 0;
  for (const name of Object.keys(request.raw.headers)) {
    if (!name.startsWith(METADATA_PREFIX)) continue;
    const value = request.header(name) ?? '';
    metadataBytes += name.length + value.length;
    headers[name] = value;
  }
  if (metadataBytes > METADATA_BYTES_MAX) throw new S3Error('InvalidRequest', 'The metadata is larger than 8 KiB.');
  return headers;
}

/** `aws-chunked` describes the request, not the object. */
function contentEncoding(request: S3Request): string | undefined {
  const codings = request.header('content-encoding')?.split(',') ?? [];
  const kept = codings.map((coding) => coding.trim()).filter((coding) => coding !== 'aws-chunked');
  return kept.length === 0 ? undefined : kept.join(', ');
}

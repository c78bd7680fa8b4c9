// Uploads one file, in the way that suits its size.
import { canSendStreams } from '../core/runtime.js';
import { fetchResponse } from '../core/response.js';
import { withTimeout } from '../core/time.js';
import { KilnTimeoutError } from '../core/errors.js';
import type { Schemas } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';
import { putBytes } from './put-bytes.js';
import {
  canBeCut,
  repeatableSourceOf,
  type PartSource,
  type RepeatableSource,
  type StreamSource,
  type Uploadable,
} from './source.js';
import { storedFileOf, type StoredFile } from './stored-file.js';
import { SMALL_BYTES_MAX, uploadForm } from './upload-form.js';
import { WHOLE_BYTES_MAX } from './upload-in-parts.js';
import type { PartsOptions, UploadFields, UploadOptions } from './upload-options.js';
import { uploadStream } from './upload-stream.js';

/** Uploads a source in parts. */
type InParts = (source: PartSource, body: Schemas['BeginUploadRequest'], options: PartsOptions) => Promise<StoredFile>;

/** Registers a file, and returns the URL for its bytes. */
type Register = (body: Schemas['UploadRequest'], options: RequestOptions) => Promise<Schemas['UploadResponse']>;

interface Upload {
  source: Uploadable;
  fields: UploadFields;
  options: PartsOptions;
}

interface Ways {
  register: Register;
  inParts: InParts;
}

export async function uploadFile(
  transport: Transport,
  ways: Ways,
  { source, fields, options }: Upload,
): Promise<StoredFile> {
  const found = await sourceOf(transport, source, options);
  if ('stream' in found) {
    const named = { ...fields, filename: nameOf(found, fields) };
    if (canSendStreams()) return uploadStream(transport, found, named, options);
    const blob = await new Response(found.stream).blob();
    const collected = { ...repeatableSourceOf(blob), ...found };
    return uploadBytes(transport, ways, collected, named, { ...options, throughKiln: true });
  }
  return uploadBytes(transport, ways, found, fields, options);
}

async function uploadBytes(
  transport: Transport,
  { register, inParts }: Ways,
  source: RepeatableSource,
  fields: UploadFields,
  options: PartsOptions,
): Promise<StoredFile> {
  if (source.sizeBytes <= SMALL_BYTES_MAX || options.throughKiln) {
    return uploadForm(transport, source, { ...fields, filename: nameOf(source, fields) }, options);
  }
  if (source.sizeBytes > WHOLE_BYTES_MAX && canBeCut(source))
    return inParts(source, registration(source, fields), options);
  const { signal, maxRetries, idempotencyKey } = options;
  const requestOptions = {
    ...(signal && { signal }),
    ...(maxRetries !== undefined && { maxRetries }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  const file = await register(registration(source, fields), requestOptions);
  if (!('upload_url' in file)) throw new TypeError('The server returned no URL for the bytes.');
  await putBytes(transport, file, source, options);
  return storedFileOf(file);
}

/** The request that registers a file. */
export const registration = (source: RepeatableSource, fields: UploadFields) => ({
  ...(source.contentType !== undefined && { content_type: source.contentType }),
  ...fields,
  filename: nameOf(source, fields),
  size_bytes: source.sizeBytes,
});

async function sourceOf(transport: Transport, source: Uploadable, options: UploadOptions) {
  if (source instanceof URL) return download(transport, source, options);
  if (source instanceof ReadableStream) return { filename: undefined, contentType: undefined, stream: source };
  return repeatableSourceOf(source);
}

const CONNECT_MS = 60_000;

async function download({ fetch }: Transport, url: URL, { signal }: UploadOptions): Promise<StreamSource> {
  const what = 'Downloading the file';
  const late = () => new KilnTimeoutError('TIMEOUT', `${what}: no response within ${CONNECT_MS} ms.`);
  const send = (ended: AbortSignal) =>
    fetchResponse({ what, fetch, url: url.href, init: { signal: ended }, redact: () => 'The download was refused.' });
  const response = await withTimeout(send, { timeoutMs: CONNECT_MS, late, signal });
  const [type] = response.headers.get('content-type')?.split(';') ?? [];
  return {
    filename: decoded(url.pathname.split('/').at(-1) ?? '') || undefined,
    contentType: type,
    stream: response.body ?? new Blob([]).stream(),
  };
}

/** A URL may have percent signs that encode nothing. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function nameOf(source: { filename?: string | undefined }, { filename = source.filename }: UploadFields): string {
  if (filename === undefined) throw new TypeError('The source has no name: give the field filename.');
  return filename;
}

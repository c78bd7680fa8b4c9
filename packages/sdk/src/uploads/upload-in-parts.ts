// Uploads a file in parts: a part that was interrupted is sent again, the others are not.
import type { Schemas } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';
import type { Uploads as Api } from '../generated/uploads.js';
import { sendParts } from './send-parts.js';
import type { PartSource } from './source.js';
import type { StoredFile } from './stored-file.js';
import type { PartsOptions } from './upload-options.js';

/** Larger files are uploaded in parts. */
export const WHOLE_BYTES_MAX = 64 * 1024 * 1024;
/** Kiln gives up after 65 seconds. The store may need some time to join the parts. */
const COMPLETE_TIMEOUT_MS = 90_000;

interface Parties {
  transport: Transport;
  api: Pick<Api, 'begin' | 'get' | 'signParts' | 'complete'>;
}

interface Progress {
  upload: Pick<Schemas['BeginUploadResponse'], 'id' | 'part_bytes' | 'part_count'>;
  /** The numbers of the parts that are stored. */
  stored: ReadonlySet<number>;
}

export async function uploadInParts(
  parties: Parties,
  source: PartSource,
  registration: Schemas['BeginUploadRequest'],
  options: PartsOptions,
): Promise<StoredFile> {
  const { partBytes, idempotencyKey, onBegin } = options;
  const body = { ...registration, ...(partBytes !== undefined && { part_bytes: partBytes }) };
  const upload = await parties.api.begin(body, {
    ...requestOptions(options),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  });
  onBegin?.({ id: upload.id });
  return finish(parties, source, { upload, stored: new Set() }, options);
}

/** Sends what is missing. Returns the file of an upload that is complete. */
export async function resumeInParts(
  parties: Parties,
  source: PartSource,
  id: string,
  options: PartsOptions,
): Promise<StoredFile> {
  const stored = new Set<number>();
  let upload: Schemas['GetUploadResponse'] | undefined;
  for await (const page of parties.api.get(id, {}, requestOptions(options)).pages()) {
    upload ??= page;
    for (const { part_number: number } of page.parts) stored.add(number);
  }
  if (!upload) throw new TypeError('The server returned no upload.');
  if (upload.size_bytes !== source.sizeBytes)
    throw new TypeError(`The source has ${source.sizeBytes} bytes, and the upload ${upload.size_bytes}.`);
  if (upload.status !== 'uploading') return complete(parties, id, options);
  return finish(parties, source, { upload, stored }, options);
}

async function finish(
  { transport, api }: Parties,
  source: PartSource,
  { upload, stored }: Progress,
  options: PartsOptions,
): Promise<StoredFile> {
  const sign = (numbers: number[], signal: AbortSignal) =>
    api.signParts(upload.id, { part_numbers: numbers }, { ...requestOptions(options), signal });
  await sendParts({ transport, sign, source, upload, stored }, options);
  return complete({ transport, api }, upload.id, options);
}

const complete = ({ api }: Parties, id: string, options: PartsOptions): Promise<StoredFile> =>
  api.complete(id, {}, { ...requestOptions(options), timeoutMs: COMPLETE_TIMEOUT_MS });

/** The other options are about sending bytes. */
const requestOptions = ({ signal, maxRetries }: PartsOptions): RequestOptions => ({
  ...(signal && { signal }),
  ...(maxRetries !== undefined && { maxRetries }),
});

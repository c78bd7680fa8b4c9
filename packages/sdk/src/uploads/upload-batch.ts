// Uploads several files with one registration.
import { KilnError } from '../core/errors.js';
import type { Schemas } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';
import { putBytes } from './put-bytes.js';
import { repeatableSourceOf, type NamedSource } from './source.js';
import { storedFileOf, type StoredFile } from './stored-file.js';
import { registration } from './upload-file.js';
import type { UploadFields, UploadOptions } from './upload-options.js';

export interface BatchEntry extends UploadFields {
  source: Blob | Uint8Array | NamedSource;
}

export interface BatchUpload {
  batch_id: string;
  /** In the order of the entries. */
  files: BatchFile[];
}

type BatchFile =
  | { file: StoredFile; error?: undefined }
  | { file?: undefined; error: { code: string; message: string } };
type Register = (
  body: Schemas['UploadBatchRequest'],
  options: RequestOptions,
) => Promise<Schemas['UploadBatchResponse']>;

const CONCURRENT_MAX = 4;

export async function uploadBatch(
  transport: Transport,
  register: Register,
  entries: readonly BatchEntry[],
  { timeoutMs, deadlineMs, onProgress, ...options }: UploadOptions,
): Promise<BatchUpload> {
  const sources = entries.map(({ source }) => repeatableSourceOf(source));
  const files = entries.map(({ source: _source, ...fields }, at) => registration(sourceAt(sources, at), fields));
  const registered = await register({ files }, options);
  const report = totalProgress(
    sources.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    onProgress,
  );
  const send = async (file: (typeof registered.files)[number]): Promise<BatchFile> => {
    if (!('upload_url' in file)) return { error: { code: file.error.code, message: file.error.message } };
    const { index } = file;
    const sending = { ...options, timeoutMs, deadlineMs, onProgress: report(index) };
    try {
      await putBytes(transport, file, sourceAt(sources, index), sending);
      return { file: storedFileOf(file) };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof KilnError)) throw error;
      return { error: { code: error.code, message: error.message } };
    }
  };
  return { batch_id: registered.batch_id, files: await mapConcurrently(registered.files, send) };
}

function sourceAt<Source>(sources: readonly Source[], index: number): Source {
  const source = sources[index];
  if (source === undefined) throw new TypeError('The server returned a file that was not sent.');
  return source;
}

/** Adds up the bytes of all files. */
function totalProgress(totalBytes: number, onProgress: UploadOptions['onProgress']) {
  const sent = new Map<number, number>();
  return (index: number): UploadOptions['onProgress'] =>
    onProgress &&
    (({ sentBytes }) => {
      sent.set(index, sentBytes);
      onProgress({ sentBytes: [...sent.values()].reduce((sum, bytes) => sum + bytes, 0), totalBytes });
    });
}

async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const entries = items.entries();
  const next = async (): Promise<void> => {
    for (const [at, item] of entries) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENT_MAX }, next));
  return results;
}

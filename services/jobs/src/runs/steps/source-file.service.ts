// Reads the bytes of a file to local disk or memory. Checks that they are the bytes that were uploaded, and not too many.
import { ExtractionError, formatBytes } from '@kiln/extraction';
import type { ObjectStore } from '@kiln/storage';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { BucketDownload } from '../bucket/bucket-download.adapter.js';
import { notOpened } from '../bucket/bucket-failure.errors.js';
import type { RunContext } from '../run-context.port.js';

interface Opened {
  body: Readable;
  etag: string;
  sizeBytes: number;
}

/** A file whose bytes are read, as a run or the drawing of a page has it. */
export interface FileToRead {
  readonly file: Pick<RunContext['file'], 'source_key' | 'source_etag' | 'size_bytes' | 'sha256'>;
  /** Where the bytes are in an external bucket. Null: they are in Kiln's own storage. */
  readonly source: Omit<NonNullable<RunContext['source']>, 'content_type'> | null;
  readonly signal: AbortSignal;
}

export class SourceFile {
  constructor(
    private readonly objects: ObjectStore,
    private readonly inputBytesMax: number,
    private readonly buckets: BucketDownload,
  ) {}

  /** Returns the SHA-256 of the bytes that it wrote to `path`. */
  async download(context: FileToRead, path: string): Promise<string> {
    const { body } = await this.openArrived(context, this.inputBytesMax);
    const hash = createHash('sha256');
    const hashed = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(body, atMost(this.inputBytesMax), hashed, createWriteStream(path), { signal: context.signal });
    return checkedHash(context, hash.digest('hex'));
  }

  /** For a file that is known to be small. */
  async read(context: FileToRead, bytesMax: number): Promise<{ bytes: Buffer; sha256: string }> {
    const allowed = Math.min(bytesMax, this.inputBytesMax);
    const { body } = await this.openArrived(context, allowed);
    const bytes = await pipeline(body, atMost(allowed), (chunks: AsyncIterable<Buffer>) => buffer(chunks), {
      signal: context.signal,
    });
    return { bytes, sha256: checkedHash(context, createHash('sha256').update(bytes).digest('hex')) };
  }

  private async openArrived(context: FileToRead, bytesMax: number): Promise<Opened> {
    const source = await this.open(context);
    const fault = faultOf(context.file.source_etag, source, bytesMax);
    if (!fault) return source;
    source.body.destroy();
    throw fault;
  }

  private async open({ file, source, signal }: FileToRead): Promise<Opened> {
    if (!source) return this.objects.get(file.source_key, { signal });
    const { url, bucket, etag_header: etagHeader } = source;
    if (url === null) throw notOpened(source);
    const { body, etag, sizeBytes } = await this.buckets.open({ url, bucket, etagHeader }, signal);
    return { body, etag, sizeBytes: sizeBytes ?? file.size_bytes ?? 0 };
  }
}

function checkedHash({ file }: FileToRead, sha256: string): string {
  if (!file.sha256 || sha256 === file.sha256) return sha256;
  throw new ExtractionError(
    'corrupt_file',
    'The stored bytes are not those that were uploaded. Upload the file again.',
  );
}

function faultOf(
  arrived: string | null,
  { etag, sizeBytes }: Omit<Opened, 'body'>,
  bytesMax: number,
): ExtractionError | null {
  if (arrived && etag !== arrived) return replacedBytes();
  return sizeBytes <= bytesMax ? null : tooLarge(bytesMax);
}

/** The bytes are not those that arrived. */
export const replacedBytes = () =>
  new ExtractionError('corrupt_file', 'The bytes were replaced after they had arrived. Upload them as a new file.');

/** Counts the bytes: a store may send more than it has announced. */
const atMost = (bytesMax: number) =>
  async function* (chunks: AsyncIterable<Buffer>) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      yield chunk;
    }
  };

const tooLarge = (bytesMax: number) =>
  new ExtractionError(
    'file_too_large',
    `The file is larger than the ${formatBytes(bytesMax)} that can be processed. Split it.`,
  );

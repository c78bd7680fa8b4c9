// A file's bytes on local disk: the ones that arrived, all of them, and not too many.
import { ExtractionError } from '@kiln/extraction';
import type { ObjectStore } from '@kiln/storage';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BucketDownload } from '../../adapters/bucket-download.js';
import type { RunContext } from '../run-context.js';

interface Opened {
  body: Readable;
  etag: string;
  sizeBytes: number;
}

export class SourceFile {
  constructor(
    private readonly objects: ObjectStore,
    private readonly inputBytesMax: number,
    private readonly buckets: BucketDownload,
  ) {}

  /** The SHA-256 of what is now at `path`. */
  async download({ file, signal }: RunContext, path: string): Promise<string> {
    const source = await this.open(file, signal);
    const fault = this.faultOf(file.source_etag, source);
    if (fault) {
      source.body.destroy();
      throw fault;
    }
    const hash = createHash('sha256');
    const hashed = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(source.body, hashed, createWriteStream(path), { signal });
    const sha256 = hash.digest('hex');
    if (file.sha256 && sha256 !== file.sha256) {
      throw new ExtractionError(
        'corrupt_file',
        'The stored bytes are not those that were uploaded. Upload the file again.',
      );
    }
    return sha256;
  }

  private async open(file: RunContext['file'], signal: AbortSignal): Promise<Opened> {
    if (!file.source) return this.objects.get(file.source_key, { signal });
    const { url, bucket, etag_header: etagHeader, fault } = file.source;
    if (url === null) throw new ExtractionError('corrupt_file', fault ?? 'The bytes of the file can not be read.');
    const { body, etag, sizeBytes } = await this.buckets.open({ url, bucket, etagHeader }, signal);
    return { body, etag, sizeBytes: sizeBytes ?? file.size_bytes ?? 0 };
  }

  private faultOf(
    arrived: string | null | undefined,
    { etag, sizeBytes }: Omit<Opened, 'body'>,
  ): ExtractionError | null {
    if (arrived && etag !== arrived) {
      return new ExtractionError(
        'corrupt_file',
        'The bytes were replaced after they had arrived. Process the file again, or upload it as a new one.',
      );
    }
    if (sizeBytes <= this.inputBytesMax) return null;
    const limit = Math.floor(this.inputBytesMax / 1_048_576);
    return new ExtractionError(
      'file_too_large',
      `The file is larger than the ${limit} MiB that can be processed. Split it.`,
    );
  }
}

// The state of multipart uploads: https://cloud.google.com/storage/docs/multipart-uploads
import { createHash, randomUUID } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ApiError } from './api-error.js';
import type { GoogleObjects } from './objects.js';

const PART_BYTES_MIN = 5 * 1024 * 1024;

export interface MultipartUpload {
  id: string;
  bucket: string;
  key: string;
  contentType: string;
  initiated: Date;
  parts: Map<number, { path: string; size: number; etag: string }>;
}

export class MultipartUploads {
  readonly #open = new Map<string, MultipartUpload>();
  #count = 0;

  constructor(private readonly objects: GoogleObjects) {}

  begin(bucket: string, key: string, contentType: string): string {
    const id = `upload-${String((this.#count += 1)).padStart(6, '0')}-${randomUUID()}`;
    this.#open.set(id, { id, bucket, key, contentType, initiated: new Date(), parts: new Map() });
    return id;
  }

  get(id: string, bucket: string, key: string): MultipartUpload {
    const upload = this.#open.get(id);
    if (upload?.bucket !== bucket || upload.key !== key) throw new ApiError(404, 'NoSuchUpload');
    return upload;
  }

  list(bucket: string): MultipartUpload[] {
    return [...this.#open.values()].filter((upload) => upload.bucket === bucket);
  }

  /** Returns the tag of the part. */
  async putPart(upload: MultipartUpload, number: number, body: Readable): Promise<string> {
    if (!(Number.isInteger(number) && number >= 1 && number <= 10_000)) throw new ApiError(400, 'InvalidArgument');
    const path = this.objects.newFile();
    const size = await this.objects.append(path, body);
    const etag = createHash('md5')
      .update(await readFile(path))
      .digest('hex');
    upload.parts.set(number, { path, size, etag });
    return etag;
  }

  async complete(
    id: string,
    bucket: string,
    key: string,
    chosen: readonly { number: number; etag: string }[],
  ): Promise<{ etag: string }> {
    const upload = this.get(id, bucket, key);
    const parts = chosen.map(({ number, etag }) => {
      const part = upload.parts.get(number);
      if (part?.etag !== etag) throw new ApiError(400, 'InvalidPart');
      return part;
    });
    if (parts.length === 0) throw new ApiError(400, 'MalformedXML');
    if (parts.slice(0, -1).some(({ size }) => size < PART_BYTES_MIN)) throw new ApiError(400, 'EntityTooSmall');
    const path = this.objects.newFile();
    for (const part of parts) await appendFile(path, await readFile(part.path));
    this.#open.delete(id);
    await this.objects.publish(bucket, key, upload.contentType, path);
    return { etag: randomUUID() };
  }

  abort(id: string, bucket: string, key: string): void {
    this.get(id, bucket, key);
    this.#open.delete(id);
  }
}

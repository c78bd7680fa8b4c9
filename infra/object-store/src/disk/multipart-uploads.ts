// Multipart uploads under way: uploads/<bucket>/<upload id>/{upload.json, <part number>.part}. A part is an object file;
// completing copies the parts into one staged object, so an upload never shows before it is whole.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError, S3Error } from '../s3-errors.js';
import type { Buckets } from './buckets.js';
import {
  describeObject,
  discardFile,
  openObject,
  stageObject,
  type ObjectDescription,
  type StagedFile,
} from './object-file.js';

export interface UploadDescription {
  uploadId: string;
  bucket: string;
  key: string;
  headers: Record<string, string>;
  initiatedMs: number;
}

export interface PartDescription {
  partNumber: number;
  description: ObjectDescription;
}

export interface CompletionRequest {
  parts: readonly { partNumber: number; etag: string }[];
  partBytesMin: number;
  objectBytesMax: number;
  nowMs: number;
}

const READ_BYTES = 256 * 1024;
/** Remembered so that a client whose answer got lost may complete again. */
const COMPLETED_REMEMBERED_MAX = 1000;

export class MultipartUploads {
  readonly #buckets: Buckets;
  readonly #completed = new Map<string, { bucket: string; key: string; etag: string }>();

  constructor(buckets: Buckets) {
    this.#buckets = buckets;
  }

  async create(upload: Omit<UploadDescription, 'uploadId'>): Promise<string> {
    const uploadId = newUploadId(upload.initiatedMs);
    const folder = this.#folder(upload.bucket, uploadId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(join(folder, 'upload.json'), JSON.stringify({ ...upload, uploadId }), { mode: 0o600 });
    return uploadId;
  }

  /** The upload, or NoSuchUpload; the key must be the one it was started for. */
  async get(bucket: string, key: string, uploadId: string): Promise<UploadDescription> {
    const upload = await this.#read(bucket, uploadId);
    if (upload?.key !== key) throw new S3Error('NoSuchUpload');
    return upload;
  }

  async putPart(
    upload: UploadDescription,
    partNumber: number,
    pieces: AsyncIterable<Buffer>,
    nowMs: number,
  ): Promise<ObjectDescription> {
    const { stagingFolder, durable, lock } = this.#buckets;
    const staged = await stageObject(pieces, { folder: stagingFolder, key: upload.key, headers: {}, durable, nowMs });
    const folder = this.#folder(upload.bucket, upload.uploadId);
    try {
      await lock.run(folder, () => rename(staged.path, join(folder, partFile(partNumber))));
    } catch (error) {
      await discardFile(staged.path);
      throw isSystemError(error, 'ENOENT') ? new S3Error('NoSuchUpload') : error;
    }
    return staged.description;
  }

  /** In order of their numbers. */
  async parts(upload: UploadDescription): Promise<PartDescription[]> {
    const folder = this.#folder(upload.bucket, upload.uploadId);
    const names = await readdir(folder).catch(() => []);
    const numbers = names.filter((name) => name.endsWith('.part')).map((name) => Number.parseInt(name, 10));
    const sorted = numbers.sort((a, b) => a - b);
    const described = sorted.map(async (partNumber) => ({
      partNumber,
      description: await describeObject(join(folder, partFile(partNumber))),
    }));
    return Promise.all(described);
  }

  /** Tag of an upload completed a moment ago, for a client that asks again. */
  completedEarlier(bucket: string, key: string, uploadId: string): string | undefined {
    const done = this.#completed.get(uploadId);
    return done?.bucket === bucket && done.key === key ? done.etag : undefined;
  }

  /**
   * Checks the parts (`accepted` is called once they hold), joins them, hands the result to `publish`, and forgets the
   * upload. A failure keeps the upload, so that it may be completed again.
   */
  async complete(
    upload: UploadDescription,
    request: CompletionRequest,
    publish: (staged: StagedFile) => Promise<void>,
    accepted: () => void,
  ): Promise<ObjectDescription> {
    const folder = this.#folder(upload.bucket, upload.uploadId);
    return this.#buckets.lock.run(folder, async () => {
      await this.get(upload.bucket, upload.key, upload.uploadId);
      const paths = await checkedParts(folder, request);
      accepted();
      const staged = await stageObject(joined(paths.files), {
        folder: this.#buckets.stagingFolder,
        key: upload.key,
        headers: upload.headers,
        durable: this.#buckets.durable,
        etag: paths.etag,
        nowMs: request.nowMs,
      });
      await publish(staged);
      this.#rememberCompleted(upload, paths.etag);
      await rm(folder, { recursive: true, force: true });
      return staged.description;
    });
  }

  async abort(upload: UploadDescription): Promise<void> {
    const folder = this.#folder(upload.bucket, upload.uploadId);
    await this.#buckets.lock.run(folder, () => rm(folder, { recursive: true, force: true }));
  }

  /** Ordered by key, then by id, and so by start. */
  async list(bucket: string): Promise<UploadDescription[]> {
    const ids = await readdir(join(this.#buckets.uploadsRoot, bucket)).catch(() => []);
    const uploads = await Promise.all(ids.map((id) => this.#read(bucket, id)));
    return uploads
      .filter((upload) => upload !== undefined)
      .sort((a, b) => compareUtf8(a.key, b.key) || compareUtf8(a.uploadId, b.uploadId));
  }

  async #read(bucket: string, uploadId: string): Promise<UploadDescription | undefined> {
    if (!/^[A-Za-z0-9_-]{32}$/.test(uploadId)) return undefined;
    try {
      const text = await readFile(join(this.#folder(bucket, uploadId), 'upload.json'), 'utf8');
      return JSON.parse(text) as UploadDescription;
    } catch (error) {
      // An upload caught between its folder and its description has not begun.
      if (isSystemError(error, 'ENOENT', 'ENOTDIR') || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  #rememberCompleted({ uploadId, bucket, key }: UploadDescription, etag: string): void {
    this.#completed.set(uploadId, { bucket, key, etag });
    const [oldest] = this.#completed.keys();
    if (this.#completed.size > COMPLETED_REMEMBERED_MAX && oldest !== undefined) this.#completed.delete(oldest);
  }

  #folder(bucket: string, uploadId: string): string {
    return join(this.#buckets.uploadsRoot, bucket, uploadId);
  }
}

/** Not to be guessed, and rising with time, so that a listing can go on after an upload that is gone. */
const newUploadId = (initiatedMs: number): string =>
  initiatedMs.toString(16).padStart(12, '0') + randomBytes(15).toString('base64url');

export const compareUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const partFile = (partNumber: number): string => `${partNumber}.part`;

async function checkedParts(folder: string, request: CompletionRequest): Promise<{ files: string[]; etag: string }> {
  const { parts, partBytesMin, objectBytesMax } = request;
  if (parts.length === 0) throw new S3Error('MalformedXML', 'An upload needs at least one part.');
  if (parts.some(({ partNumber }, at) => partNumber <= (parts[at - 1]?.partNumber ?? 0)))
    throw new S3Error('InvalidPartOrder');
  const files: string[] = [];
  const hash = createHash('md5');
  let sizeBytes = 0;
  for (const [position, { partNumber, etag }] of parts.entries()) {
    const path = join(folder, partFile(partNumber));
    const part = await describeObject(path).catch((error: unknown) => {
      throw isSystemError(error, 'ENOENT') ? new S3Error('InvalidPart') : error;
    });
    if (part.etag !== etag) throw new S3Error('InvalidPart');
    if (part.sizeBytes < partBytesMin && position < parts.length - 1) throw new S3Error('EntityTooSmall');
    sizeBytes += part.sizeBytes;
    hash.update(part.etag, 'hex');
    files.push(path);
  }
  if (sizeBytes > objectBytesMax) throw new S3Error('EntityTooLarge');
  return { files, etag: `${hash.digest('hex')}-${parts.length}` };
}

async function* joined(files: readonly string[]): AsyncGenerator<Buffer> {
  for (const file of files) {
    const { handle, description } = await openObject(file);
    try {
      if (description.sizeBytes === 0) continue;
      const options = { start: 0, end: description.sizeBytes - 1, highWaterMark: READ_BYTES, autoClose: false };
      for await (const piece of handle.createReadStream(options)) yield piece as Buffer;
    } finally {
      await handle.close();
    }
  }
}

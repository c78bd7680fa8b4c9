// Unfinished multipart uploads: uploads/<bucket>/<upload id>/ with upload.json and the parts. When the parts fill their slots, their file
// becomes the object without a copy. Otherwise they are joined into a staged object. An incomplete upload is never visible as an object.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError, S3Error } from '../s3-errors.js';
import type { Buckets } from './buckets.js';
import { chooseParts, type ChosenParts, type CompletionRequest } from './chosen-parts.js';
import { endObject, stageObject, type ObjectDescription, type StagedFile } from './object-file.js';
import { inParallel } from './in-parallel.js';
import { PartSlots } from './part-slots.js';
import { putPart, type PartBody } from './put-part.js';
import { joined, readParts, type Part, type PartDescription } from './upload-parts.js';

export interface UploadDescription {
  uploadId: string;
  bucket: string;
  key: string;
  headers: Record<string, string>;
  initiatedMs: number;
}

/** Kept so that a client which lost the response can complete again. */
const COMPLETED_KEPT_MAX = 1000;

export class MultipartUploads {
  readonly #buckets: Buckets;
  readonly #slots = new PartSlots();
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

  /** Returns the upload, or throws NoSuchUpload. The key must be the one that the upload was created for. */
  async get(bucket: string, key: string, uploadId: string): Promise<UploadDescription> {
    const upload = await this.#read(bucket, uploadId);
    if (upload?.key !== key) throw new S3Error('NoSuchUpload');
    return upload;
  }

  async putPart(
    upload: UploadDescription,
    partNumber: number,
    body: PartBody,
    nowMs: number,
  ): Promise<PartDescription> {
    const folder = this.#folder(upload.bucket, upload.uploadId);
    const context = { folder, key: upload.key, buckets: this.#buckets, slots: this.#slots };
    return putPart(context, partNumber, body, nowMs);
  }

  /** In order of their numbers. */
  async parts(upload: UploadDescription): Promise<PartDescription[]> {
    return readParts(this.#folder(upload.bucket, upload.uploadId));
  }

  /** The tag of an upload that was just completed, for a client that repeats the completion. */
  completedEarlier(bucket: string, key: string, uploadId: string): string | undefined {
    const done = this.#completed.get(uploadId);
    return done?.bucket === bucket && done.key === key ? done.etag : undefined;
  }

  /**
   * Validates the parts (and then calls `accepted`), joins them, passes the result to `publish`, and removes the upload. If the completion is
   * refused, the upload stays and can be completed again.
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
      const recorded = await readParts(folder);
      const chosen = chooseParts(recorded, request);
      accepted();
      const whole = !this.#slots.busy(folder) && fillSlots(recorded, chosen);
      const staged = whole
        ? await this.#endSlots(upload, chosen, request.nowMs)
        : await this.#join(upload, chosen, request.nowMs);
      await publish(staged);
      this.#keepCompleted(upload, chosen.etag);
      await rm(folder, { recursive: true, force: true });
      return staged.description;
    });
  }

  #join({ key, headers }: UploadDescription, { parts, etag }: ChosenParts, nowMs: number): Promise<StagedFile> {
    const { stagingFolder, durable } = this.#buckets;
    return stageObject(joined(parts), { folder: stagingFolder, key, headers, durable, etag, nowMs });
  }

  /** A part that arrives after a refused completion overwrites what follows the data, and the next completion truncates it. */
  async #endSlots(
    upload: UploadDescription,
    { parts, sizeBytes, etag }: ChosenParts,
    nowMs: number,
  ): Promise<StagedFile> {
    const { key, headers } = upload;
    const description: ObjectDescription = { key, sizeBytes, etag, lastModifiedMs: nowMs, headers };
    const path = parts[0]?.path ?? '';
    await this.#slots.syncing.untilIdle(path);
    const handle = await open(path, 'r+');
    try {
      await handle.truncate(sizeBytes);
      await endObject(handle, description, this.#buckets.durable);
    } catch (error) {
      await rm(path, { force: true }); // a second sync could pass what the first could not write
      throw error;
    } finally {
      await handle.close();
    }
    return { path, description, kept: true };
  }

  async abort(upload: UploadDescription): Promise<void> {
    const folder = this.#folder(upload.bucket, upload.uploadId);
    await this.#buckets.lock.run(folder, () => rm(folder, { recursive: true, force: true }));
  }

  /** Ordered by key, then by id, and so by start. */
  async list(bucket: string): Promise<UploadDescription[]> {
    const ids = await readdir(join(this.#buckets.uploadsRoot, bucket)).catch(() => []);
    const uploads = await inParallel(ids, (id) => this.#read(bucket, id));
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
      // An upload with a folder but without a description has not begun.
      if (isSystemError(error, 'ENOENT', 'ENOTDIR') || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  #keepCompleted({ uploadId, bucket, key }: UploadDescription, etag: string): void {
    this.#completed.set(uploadId, { bucket, key, etag });
    const [oldest] = this.#completed.keys();
    if (this.#completed.size > COMPLETED_KEPT_MAX && oldest !== undefined) this.#completed.delete(oldest);
  }

  #folder(bucket: string, uploadId: string): string {
    return join(this.#buckets.uploadsRoot, bucket, uploadId);
  }
}

/** Unguessable, and increasing with time, so that a listing can continue after an upload that no longer exists. */
const newUploadId = (initiatedMs: number): string =>
  initiatedMs.toString(16).padStart(12, '0') + randomBytes(15).toString('base64url');

export const compareUtf8 = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Whether the chosen parts are all parts that arrived, and the slots' file contains exactly the bytes of the object. */
function fillSlots(recorded: readonly Part[], { parts }: ChosenParts): boolean {
  let end = 0;
  return (
    recorded.length === parts.length &&
    parts.every(({ inSlot, start, sizeBytes }) => {
      const follows = inSlot && start === end;
      end = start + sizeBytes;
      return follows;
    })
  );
}

// Uploads files whose bytes the server does not have.
import type { Kiln, NamedSource, StoredFile, UploadFields, UploadOptions, UploadProgress } from '@kiln/sdk';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FoundFile } from './find-files.js';

export interface Uploaded {
  outcome: 'uploaded' | 'present';
  fileId: string;
  /** Null without processing. */
  jobId: string | null;
  sha256: string;
}

export interface UploadSettings {
  kiln: Kiln;
  space: string;
  fields: UploadFields;
  /** Also files that the server has. */
  isForced: boolean;
  signal: AbortSignal;
}

interface Found {
  present: Uploaded | null;
  begunId: string | null;
}

/** The statuses of an upload in parts that does not exist, or that accepts no more parts. */
const HAS_ENDED = [404, 409];

/** Under this key of its metadata a file has the SHA-256 of its bytes, because lists filter by metadata. */
const SHA256 = 'sha256';

/** Up to this size, a file is read once: for its hash, and to be sent. */
const SMALL_BYTES_MAX = 1_048_576;

export class Uploader {
  /** By SHA-256: equal files in one run are uploaded once. */
  readonly #running = new Map<string, Promise<Uploaded>>();
  #isSpaceEmpty: Promise<boolean> | null = null;

  constructor(private readonly settings: UploadSettings) {}

  async upload(file: FoundFile, onProgress: (sentBytes: number) => void): Promise<Uploaded> {
    const read = await readSource(file.path, this.settings.signal);
    const { sha256 } = read;
    const send = (begunId: string | null) => this.#send(file, read, onProgress, begunId);
    if (this.settings.isForced) return send(null);
    const equal = await this.#running.get(sha256)?.catch(() => null);
    if (equal) return { ...equal, outcome: 'present' };
    const uploading = this.#find(sha256).then(({ present, begunId }) => present ?? send(begunId));
    this.#running.set(sha256, uploading);
    return uploading;
  }

  async #send(
    file: FoundFile,
    read: ReadSource,
    onProgress: (sentBytes: number) => void,
    begunId: string | null,
  ): Promise<Uploaded> {
    const { kiln, space, fields, signal } = this.settings;
    const { source, sha256, isUnchanged } = read;
    const metadata = { path: file.name, ...fields.metadata, [SHA256]: sha256 };
    const options = { signal, ...(isUnchanged && { onProgress: sentOf(onProgress) }) };
    const resumed = begunId === null ? null : await this.#resume(begunId, source, options);
    const { id, job_id: jobId } = resumed ?? (await kiln.files.upload(source, { ...fields, space, metadata }, options));
    if (!isUnchanged) onProgress(source.sizeBytes);
    else if (!(await isUnchanged())) {
      // Its metadata would name other bytes than those that were sent.
      await kiln.files.delete(id);
      throw new Error('The file changed while it was uploaded. Run the same command again.');
    }
    return { outcome: 'uploaded', fileId: id, jobId, sha256 };
  }

  /** Sends the parts that a former run has not sent. Returns null if the upload is not one in parts, or has ended. */
  async #resume(id: string, source: NamedSource, options: UploadOptions): Promise<StoredFile | null> {
    if (!source.slice) return null;
    try {
      return await this.settings.kiln.uploads.resume(id, source, options);
    } catch (error) {
      if (HAS_ENDED.includes((error as { status?: number }).status ?? 0)) return null;
      throw error;
    }
  }

  /** A file of the space with these bytes. If the bytes of all of them are missing, the id of one whose upload may be resumed. */
  async #find(sha256: string): Promise<Found> {
    const { kiln, space, signal } = this.settings;
    this.#isSpaceEmpty ??= this.#hasNoFiles().catch((error: unknown) => {
      this.#isSpaceEmpty = null;
      throw error;
    });
    let begunId: string | null = null;
    if (await this.#isSpaceEmpty) return { present: null, begunId };
    const query = { space, metadata: { [`metadata.${SHA256}`]: sha256 } };
    for await (const { id, status, job_id: jobId } of kiln.files.list(query, { signal })) {
      const hasArrived =
        status === 'failed' && jobId !== null
          ? (await kiln.jobs.get(jobId, {}, { signal })).error?.code !== 'upload_expired'
          : status !== 'uploading';
      if (hasArrived) return { present: { outcome: 'present', fileId: id, jobId, sha256 }, begunId: null };
      if (status === 'uploading') begunId ??= id;
    }
    return { present: null, begunId };
  }

  /** Returns whether the space has no files: then this one request replaces one for each file. */
  async #hasNoFiles(): Promise<boolean> {
    const { kiln, space, signal } = this.settings;
    const { files, next_cursor: cursor } = await kiln.files.list({ space, limit: 1 }, { signal });
    return files.length === 0 && cursor === null;
  }
}

/** What the file holds, and how it is sent. */
interface ReadSource {
  source: NamedSource;
  sha256: string;
  /** Whether the file has kept its bytes. Null for a small file, whose bytes are in memory. */
  isUnchanged: (() => Promise<boolean>) | null;
}

async function readSource(path: string, signal: AbortSignal): Promise<ReadSource> {
  const before = await stat(path);
  if (!before.isFile()) throw new TypeError(`${path} is not a file`);
  if (before.size <= SMALL_BYTES_MAX) {
    const bytes = await readFile(path, { signal });
    const source = { filename: basename(path), sizeBytes: bytes.length, open: () => new Blob([bytes]) };
    return { source, sha256: createHash('sha256').update(bytes).digest('hex'), isUnchanged: null };
  }
  const { fromPath } = await import('@kiln/sdk/node');
  const isUnchanged = async () => {
    const after = await stat(path);
    return after.size === before.size && after.mtimeMs === before.mtimeMs;
  };
  return { source: await fromPath(path), sha256: await digest(path, signal), isUnchanged };
}

const sentOf =
  (onProgress: (sentBytes: number) => void) =>
  ({ sentBytes }: UploadProgress) =>
    onProgress(sentBytes);

async function digest(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path, { signal })) hash.update(part as Buffer);
  return hash.digest('hex');
}

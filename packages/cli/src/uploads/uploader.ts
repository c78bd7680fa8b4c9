// Uploads files whose bytes the server does not have.
import type { Kiln, UploadFields } from '@kiln/sdk';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
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

/** Under this key of its metadata a file has the SHA-256 of its bytes, because lists filter by metadata. */
const SHA256 = 'sha256';

export class Uploader {
  /** By SHA-256: equal files in one run are uploaded once. */
  readonly #running = new Map<string, Promise<Uploaded>>();

  constructor(private readonly settings: UploadSettings) {}

  async upload(file: FoundFile, onProgress: (sentBytes: number) => void): Promise<Uploaded> {
    const { isForced, signal } = this.settings;
    const before = await stat(file.path);
    const sha256 = await digest(file.path, signal);
    const send = async () => {
      const sent = await this.#send(file, sha256, onProgress);
      const after = await stat(file.path);
      if (after.size === before.size && after.mtimeMs === before.mtimeMs) return sent;
      // Its metadata would name other bytes than those that were sent.
      await this.settings.kiln.files.delete(sent.fileId);
      throw new Error('The file changed while it was uploaded. Run the same command again.');
    };
    if (isForced) return send();
    const equal = await this.#running.get(sha256)?.catch(() => null);
    if (equal) return { ...equal, outcome: 'present' };
    const uploading = this.#find(sha256).then((present) => present ?? send());
    this.#running.set(sha256, uploading);
    return uploading;
  }

  async #send(file: FoundFile, sha256: string, onProgress: (sentBytes: number) => void): Promise<Uploaded> {
    const { kiln, space, fields, signal } = this.settings;
    const { fromPath } = await import('@kiln/sdk/node');
    const metadata = { path: file.name, ...fields.metadata, [SHA256]: sha256 };
    const { id, job_id: jobId } = await kiln.files.upload(
      await fromPath(file.path),
      { ...fields, space, metadata },
      { signal, onProgress: ({ sentBytes }) => onProgress(sentBytes) },
    );
    return { outcome: 'uploaded', fileId: id, jobId, sha256 };
  }

  /** A file of the space with these bytes. One whose bytes never arrived does not count. */
  async #find(sha256: string): Promise<Uploaded | null> {
    const { kiln, space, signal } = this.settings;
    const query = { space, metadata: { [`metadata.${SHA256}`]: sha256 } };
    for await (const { id, status, job_id: jobId } of kiln.files.list(query, { signal })) {
      const hasArrived =
        status === 'failed' && jobId !== null
          ? (await kiln.jobs.get(jobId, {}, { signal })).error?.code !== 'upload_expired'
          : status !== 'uploading';
      if (hasArrived) return { outcome: 'present', fileId: id, jobId, sha256 };
    }
    return null;
  }
}

async function digest(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path, { signal })) hash.update(part as Buffer);
  return hash.digest('hex');
}

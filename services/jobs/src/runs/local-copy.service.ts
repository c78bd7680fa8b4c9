// The file of a run on local disk. It is downloaded when a step first needs it, once for all steps.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScratchFolder } from './scratch-directory.adapter.js';

export interface CopiedFile {
  path: string;
  /** Of its bytes. */
  sha256: string;
}

/** Writes the bytes to `path` and returns their SHA-256. */
export type Download = (path: string) => Promise<string>;

export class LocalCopy {
  private fetched: Promise<CopiedFile> | null = null;

  constructor(private readonly scratch: ScratchFolder) {}

  fetch(download: Download): Promise<CopiedFile> {
    this.fetched ??= this.write(download);
    return this.fetched;
  }

  /** A run may wait for a provider for minutes after it has read the file. */
  async remove(): Promise<void> {
    const fetched = await this.fetched?.catch(() => null);
    if (fetched) await rm(fetched.path, { force: true });
    this.fetched = null;
  }

  private async write(download: Download): Promise<CopiedFile> {
    const path = join(await this.scratch.path(), 'source');
    return { path, sha256: await download(path) };
  }
}

// The data folder:  buckets/<name>/…objects…   uploads/<bucket>/<upload id>/…   tmp/
import { mkdir, readdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError, S3Error } from '../s3-errors.js';
import { BucketObjects } from './bucket-objects.js';
import { DirectIo } from './direct-io.js';
import { FolderIndex } from './folder-index.js';
import { KeyedLock } from './keyed-lock.js';
import { FolderSync } from './sync-folder.js';

export interface BucketsOptions {
  directory: string;
  durable: boolean;
}

/** Lower case and without `/`, so a name is safe as a folder on every file system. */
const BUCKET_NAME = /^(?!.*\.\.)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export class Buckets {
  readonly index = new FolderIndex();
  readonly lock = new KeyedLock();
  readonly durable: boolean;
  readonly #sync: FolderSync | undefined;
  readonly #root: string;
  readonly #uploads: string;
  /** Files being written; on the same file system as the buckets, so that a rename moves them. */
  readonly stagingFolder: string;
  #direct: DirectIo | undefined;
  readonly #known = new Map<string, BucketObjects>();

  constructor(options: BucketsOptions) {
    this.durable = options.durable;
    this.#sync = options.durable ? new FolderSync() : undefined;
    this.#root = join(options.directory, 'buckets');
    this.#uploads = join(options.directory, 'uploads');
    this.stagingFolder = join(options.directory, 'tmp');
  }

  get uploadsRoot(): string {
    return this.#uploads;
  }

  /** Undefined: all writes use the page cache. */
  get direct(): DirectIo | undefined {
    return this.#direct;
  }

  async prepare(): Promise<void> {
    for (const path of [this.#root, this.#uploads, this.stagingFolder])
      await mkdir(path, { recursive: true, mode: 0o700 });
    if (this.durable) this.#direct = await DirectIo.in(this.stagingFolder);
  }

  /** Returns the bucket, or throws NoSuchBucket. */
  async get(name: string): Promise<BucketObjects> {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (!BUCKET_NAME.test(name)) throw new S3Error('NoSuchBucket');
    const root = join(this.#root, name);
    try {
      await stat(root);
    } catch (error) {
      throw isSystemError(error, 'ENOENT') ? new S3Error('NoSuchBucket') : error;
    }
    const bucket = new BucketObjects({ root, index: this.index, lock: this.lock, sync: this.#sync });
    this.#known.set(name, bucket);
    return bucket;
  }

  /** Returns false when the bucket existed already. */
  async create(name: string): Promise<boolean> {
    if (!BUCKET_NAME.test(name)) throw new S3Error('InvalidBucketName');
    try {
      await mkdir(join(this.#root, name), { mode: 0o700 });
    } catch (error) {
      if (isSystemError(error, 'EEXIST')) return false;
      throw error;
    }
    await this.#sync?.sync(this.#root);
    return true;
  }

  async delete(name: string): Promise<void> {
    const { root } = await this.get(name);
    await this.lock.run(root, async () => {
      try {
        await rmdir(root);
      } catch (error) {
        if (isSystemError(error, 'ENOTEMPTY', 'EEXIST')) throw new S3Error('BucketNotEmpty');
        throw isSystemError(error, 'ENOENT') ? new S3Error('NoSuchBucket') : error;
      }
      this.#known.delete(name);
      this.index.forget(root);
    });
  }

  /** By name. */
  async list(): Promise<{ name: string; createdAt: Date }[]> {
    const names = (await readdir(this.#root)).filter((name) => BUCKET_NAME.test(name)).sort();
    return Promise.all(
      names.map(async (name) => ({ name, createdAt: (await stat(join(this.#root, name))).birthtime })),
    );
  }
}

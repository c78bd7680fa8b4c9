// Buckets and their objects. The bytes are in files, so that large objects take no memory of this process.
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ApiError } from './api-error.js';

export interface GoogleObject {
  bucket: string;
  name: string;
  contentType: string;
  size: number;
  generation: string;
  updated: Date;
  path: string;
}

export class GoogleObjects {
  readonly #buckets = new Map<string, Map<string, GoogleObject>>();
  #generation = 1_700_000_000_000_000;

  constructor(private readonly directory: string) {}

  addBucket(name: string): void {
    if (this.#buckets.has(name)) throw new ApiError(409, 'You already own this bucket.');
    this.#buckets.set(name, new Map());
  }

  bucketNames(): string[] {
    return [...this.#buckets.keys()];
  }

  bucket(name: string): Map<string, GoogleObject> {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) throw new ApiError(404, 'The specified bucket does not exist.');
    return bucket;
  }

  get(bucket: string, name: string): GoogleObject {
    const object = this.bucket(bucket).get(name);
    if (object === undefined) throw new ApiError(404, `No such object: ${bucket}/${name}`);
    return object;
  }

  newFile(): string {
    return join(this.directory, randomUUID());
  }

  /** Appends a body to a file; answers the file's size. */
  async append(path: string, body: Readable): Promise<number> {
    await pipeline(body, createWriteStream(path, { flags: 'a' }));
    return (await stat(path)).size;
  }

  async publish(bucket: string, name: string, contentType: string, path: string): Promise<GoogleObject> {
    const objects = this.bucket(bucket);
    const { size } = await stat(path);
    const generation = String((this.#generation += 1));
    const object = { bucket, name, contentType, size, generation, updated: new Date(), path };
    objects.set(name, object);
    return object;
  }

  async delete(bucket: string, name: string): Promise<void> {
    const { path } = this.get(bucket, name);
    this.bucket(bucket).delete(name);
    await unlink(path);
  }

  read({ path }: GoogleObject, start: number, end: number): Readable {
    return createReadStream(path, { start, end });
  }
}

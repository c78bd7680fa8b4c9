// The bytes of a file of an inventory, as the store sends them.
import type { Readable } from 'node:stream';
import { BucketError } from './domain/bucket-error.js';
import type { InventoryFile } from './domain/inventory-manifest.js';
import { damagedFile } from './domain/inventory-row.js';
import type { ExternalBucket } from './external-bucket.port.js';

export interface ReadOptions {
  /** The bucket that the inventory is of. */
  source: string;
  /** How many rows were read before. */
  after: number;
  signal: AbortSignal;
}

/** The caller destroys the body. Throws BucketError. */
export async function openFile(bucket: ExternalBucket, { key }: InventoryFile, signal: AbortSignal): Promise<Readable> {
  const opened = await bucket.read(key, signal);
  if (opened === null) throw damagedFile(key, 'it does not exist');
  return opened.body;
}

/** Failures of the connection to the store are temporary. */
export async function* fromBucket(body: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of body) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') throw error;
    throw new BucketError('unreachable', 'The store ended the transfer of the inventory.', {
      retryable: true,
      cause: error,
    });
  }
}

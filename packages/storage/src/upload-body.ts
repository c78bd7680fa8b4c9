// Stores a body of any length: in one request when it is short, otherwise in parts, a few of them in flight. When the body or a request fails,
// nothing is stored.
import { Readable } from 'node:stream';
import { bodyParts } from './body-parts.js';
import { untilAborted } from './deadline.js';
import type { PutOptions, StoredObject } from './object-store.port.js';
import { PartBuffers } from './part-buffers.js';
import { StorageError } from './storage.errors.js';

export type Body = Readable | Buffer | string;

export interface SentPart {
  /** True when something may still read the part. Its memory is then not reused. */
  isStillRead: boolean;
}

/** An upload in parts that has begun. It ends with `complete` or `abandon`. */
export interface PartsUpload {
  /** `partNumber` counts from 1. */
  sendPart(partNumber: number, part: Buffer): Promise<SentPart | void>;
  /** Makes the object visible. Returns its tag. */
  complete(): Promise<string>;
  /** Aborts the upload if possible. Never throws. */
  abandon(): Promise<void>;
}

/** How a body is cut into parts. */
export interface PartsPlan {
  /** Size of every part but the last, unless the body is too large for `partsMax` of them. */
  partBytes: number;
  partsMax: number;
  /** One of them is filled while the others are sent. */
  partsInFlight: number;
  /** How many of the last parts may still be read after they were sent. Default 0. */
  partsHeld?: number;
}

/** How to upload one object to a provider. Every method throws StorageError only. */
export interface UploadProtocol extends PartsPlan {
  /** True when nothing reads a part after it was sent, even if sending needed several attempts. Default false. */
  partsAreFreed?: boolean;
  putWhole(body: Buffer): Promise<string>;
  begin(): Promise<PartsUpload>;
}

const partBytesOf = ({ partBytes, partsMax }: PartsPlan, sizeBytesMax: number): number =>
  Math.max(partBytes, Math.ceil(sizeBytesMax / partsMax));

/** The memory of the parts of a body while it is uploaded. */
export const partsMemoryOf = (plan: PartsPlan, sizeBytesMax: number): number =>
  (plan.partsInFlight + (plan.partsHeld ?? 0)) * partBytesOf(plan, sizeBytesMax);

export async function uploadBody(
  key: string,
  body: Body,
  options: PutOptions,
  protocol: UploadProtocol,
): Promise<StoredObject> {
  const { sizeBytes: expectedBytes, sizeBytesMax = 0, ownsPieces = false, signal } = options;
  const partBytes = partBytesOf(protocol, expectedBytes ?? sizeBytesMax);
  const buffers = new PartBuffers(partBytes);
  const parts = untilAborted(bodyParts(body, buffers, ownsPieces), signal);
  const stop = (): void => {
    if (body instanceof Readable) body.destroy(new Error('the upload was aborted', { cause: signal?.reason }));
  };
  signal?.addEventListener('abort', stop, { once: true });
  const verify = (sizeBytes: number): void => verifySize(key, sizeBytes, expectedBytes);
  try {
    const first = (await parts.next()).value as Buffer;
    if (first.length >= partBytes) return await uploadParts(protocol, startingWith(first, parts), buffers, verify);
    verify(first.length);
    return { sizeBytes: first.length, etag: await protocol.putWhole(first) };
  } catch (error) {
    if (body instanceof Readable) body.destroy();
    if (signal?.aborted) {
      throw new StorageError('unavailable', `putting ${key}: aborted by the caller`, { cause: signal.reason });
    }
    if (error instanceof StorageError) throw error;
    throw new StorageError('unavailable', `putting ${key}: the body failed`, { cause: error, retryable: true });
  } finally {
    if (protocol.partsAreFreed === true) buffers.release();
    signal?.removeEventListener('abort', stop);
  }
}

async function uploadParts(
  protocol: UploadProtocol,
  parts: AsyncIterable<Buffer>,
  buffers: PartBuffers,
  verify: (sizeBytes: number) => void,
): Promise<StoredObject> {
  const upload = await protocol.begin();
  try {
    const sizeBytes = await sendParts(protocol, upload, parts, buffers);
    verify(sizeBytes);
    return { sizeBytes, etag: await upload.complete() };
  } catch (error) {
    await upload.abandon();
    throw error;
  }
}

/** Returns how many bytes were sent. */
async function sendParts(
  { partsMax, partsInFlight, partsHeld = 0 }: UploadProtocol,
  upload: PartsUpload,
  parts: AsyncIterable<Buffer>,
  buffers: PartBuffers,
): Promise<number> {
  const running = new Set<Promise<void>>();
  const sent: Buffer[] = [];
  // A failed request may still read its part.
  const giveBack = (part: Buffer): void => {
    sent.push(part);
    for (const unused of sent.splice(0, sent.length - partsHeld)) buffers.giveBack(unused);
  };
  let failure: { error: unknown } | undefined;
  let sizeBytes = 0;
  let partNumber = 0;
  try {
    for await (const part of parts) {
      partNumber += 1;
      sizeBytes += part.length;
      if (partNumber > partsMax)
        throw new StorageError('invalid', 'the body is too large: set sizeBytes or sizeBytesMax');
      const sending = upload
        .sendPart(partNumber, part)
        .then((done) => (done?.isStillRead === true ? undefined : giveBack(part)))
        .catch((error: unknown) => void (failure ??= { error }))
        .finally(() => running.delete(sending));
      running.add(sending);
      if (running.size >= partsInFlight) await Promise.race(running);
      if (failure !== undefined) throw failure.error;
    }
  } finally {
    // Otherwise a part in flight could arrive after the upload was abandoned, and would be kept.
    await Promise.all(running);
  }
  if (failure !== undefined) throw failure.error;
  return sizeBytes;
}

function verifySize(key: string, sizeBytes: number, expectedBytes: number | undefined): void {
  if (expectedBytes === undefined || expectedBytes === sizeBytes) return;
  throw new StorageError('invalid', `putting ${key}: expected ${expectedBytes} bytes, received ${sizeBytes}`);
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

// Storing a body of any length: one request when it is short, else in parts, a few of them in flight. Whatever goes wrong,
// in the body as well, nothing stays behind.
import { Readable } from 'node:stream';
import { bodyParts } from './body-parts.js';
import { untilAborted } from './deadline.js';
import type { PutOptions, StoredObject } from './object-store.port.js';
import { PartBuffers } from './part-buffers.js';
import { StorageError } from './storage.errors.js';

export type Body = Readable | Buffer | string;

/** One upload in parts, begun and neither completed nor abandoned. */
export interface PartsUpload {
  /** `partNumber` counts from 1. */
  sendPart(partNumber: number, part: Buffer): Promise<void>;
  /** Makes the object visible; answers its tag. */
  complete(): Promise<string>;
  /** Best effort, never throws. */
  abandon(): Promise<void>;
}

/** How a provider takes one object. Every method throws StorageError only. */
export interface UploadProtocol {
  /** Size of every part but the last, unless the body is too large for `partsMax` of them. */
  partBytes: number;
  partsMax: number;
  /** Memory is about this plus two, times `partBytes`. */
  partsInFlight: number;
  /** How many of the newest parts are still read after they counted as sent. Default 0. */
  partsHeld?: number;
  /** Whether nothing at all reads a part once it counts as sent, whatever it took to send it. Default false. */
  partsAreFreed?: boolean;
  putWhole(body: Buffer): Promise<string>;
  begin(): Promise<PartsUpload>;
}

export async function uploadBody(
  key: string,
  body: Body,
  options: PutOptions,
  protocol: UploadProtocol,
): Promise<StoredObject> {
  const { sizeBytes: expectedBytes, sizeBytesMax = 0, ownsPieces = false, signal } = options;
  const partBytes = Math.max(protocol.partBytes, Math.ceil((expectedBytes ?? sizeBytesMax) / protocol.partsMax));
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
    throw new StorageError('unavailable', `putting ${key}: the body broke off`, { cause: error, retryable: true });
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

/** Answers how many bytes were sent. */
async function sendParts(
  { partsMax, partsInFlight, partsHeld = 0 }: UploadProtocol,
  upload: PartsUpload,
  parts: AsyncIterable<Buffer>,
  buffers: PartBuffers,
): Promise<number> {
  const running = new Set<Promise<void>>();
  const sent: Buffer[] = [];
  // A part that could not be sent may still be read by what is left of its request.
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
      if (partNumber > partsMax) throw new StorageError('invalid', 'the body is too large: give sizeBytes up front');
      const sending = upload
        .sendPart(partNumber, part)
        .then(() => giveBack(part))
        .catch((error: unknown) => void (failure ??= { error }))
        .finally(() => running.delete(sending));
      running.add(sending);
      if (running.size >= partsInFlight) await Promise.race(running);
      if (failure !== undefined) throw failure.error;
    }
  } finally {
    // A part still on its way would otherwise arrive after the upload was abandoned, and stay.
    await Promise.all(running);
  }
  if (failure !== undefined) throw failure.error;
  return sizeBytes;
}

function verifySize(key: string, sizeBytes: number, expectedBytes: number | undefined): void {
  if (expectedBytes === undefined || expectedBytes === sizeBytes) return;
  throw new StorageError('invalid', `putting ${key}: announced ${expectedBytes} bytes, received ${sizeBytes}`);
}

async function* startingWith(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

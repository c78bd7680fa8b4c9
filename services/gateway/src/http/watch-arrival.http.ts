// Ends bodies that arrive too slowly. A body may take hours if it is large, but one that drips holds a connection and memory for nothing.
import { badRequest, type CodedError } from '@kiln/contracts';
import type { Readable } from 'node:stream';

const WINDOW_SECONDS = 20;
const BYTES_PER_SECOND_MIN = 1_024;
/** A body should fill the memory that it holds in this time, unless that needs a fast connection. */
const FILL_SECONDS = 256;
const FAST_BYTES_PER_SECOND = 64 * 1_024;

/** The lowest rate of a body that holds so much memory. */
export function bytesPerSecondMin(heldBytes: number): number {
  return Math.max(BYTES_PER_SECOND_MIN, Math.min(FAST_BYTES_PER_SECOND, Math.floor(heldBytes / FILL_SECONDS)));
}

/**
 * Calls `onSlow` when the body arrived more slowly over 20 s than `heldBytes` demands. Seconds in which the gateway did not read the
 * body do not count: then the store is slow, and not the caller. The watch ends with the body, or when the returned function is called. Call
 * it when the body begins to be read.
 */
export function watchArrival(
  body: Readable,
  onSlow: (error: CodedError) => void,
  heldBytes: () => number = () => 0,
): () => void {
  let [bytes, seconds] = [0, 0];
  const count = (piece: Buffer): void => void (bytes += piece.length);
  const timer = setInterval(() => {
    if (body.isPaused() || ++seconds < WINDOW_SECONDS) return;
    const rate = bytesPerSecondMin(heldBytes());
    if (bytes < WINDOW_SECONDS * rate) onSlow(tooSlow(rate));
    [bytes, seconds] = [0, 0];
  }, 1_000);
  const stop = (): void => {
    clearInterval(timer);
    body.off('data', count).off('end', stop);
  };
  // A slow store may not have taken all bytes that arrived.
  body.on('data', count).once('end', stop);
  return stop;
}

const tooSlow = (rate: number): CodedError =>
  badRequest(`The body arrived at less than ${rate} bytes a second. Send it on a faster connection.`);

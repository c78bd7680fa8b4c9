// Ends bodies that arrive too slowly. A body may take hours if it is large, but one that drips holds a connection and memory for nothing.
import { badRequest, type CodedError } from '@kiln/contracts';
import type { Readable } from 'node:stream';

const BYTES_PER_SECOND_MIN = 1_024;
const WINDOW_SECONDS = 20;

/**
 * Calls `onSlow` when fewer than 1 KiB a second arrived for 20 s, unless they were not read meanwhile: then the store is slow, and not the
 * caller. The watch ends with the body. Returns a function that ends it earlier. Call it when the body begins to be read.
 */
export function watchArrival(body: Readable, onSlow: (error: CodedError) => void): () => void {
  const arrival = new Arrival(body);
  const timer = setInterval(() => {
    if (arrival.endWindow() < WINDOW_SECONDS * BYTES_PER_SECOND_MIN) onSlow(tooSlow());
  }, WINDOW_SECONDS * 1_000);
  const stop = (): void => {
    clearInterval(timer);
    arrival.stop();
    body.off('end', stop);
  };
  // What has arrived may still be on its way into a slow store.
  body.once('end', stop);
  return stop;
}

class Arrival {
  private bytes = 0;
  private wasPaused = false;
  private readonly onData = (piece: Buffer): void => void (this.bytes += piece.length);
  private readonly onPause = (): void => void (this.wasPaused = true);

  constructor(private readonly body: Readable) {
    body.on('data', this.onData).on('pause', this.onPause);
  }

  /** How many bytes arrived since the last window; Infinity if reading was paused. */
  endWindow(): number {
    const bytes = this.wasPaused ? Infinity : this.bytes;
    this.bytes = 0;
    this.wasPaused = this.body.isPaused();
    return bytes;
  }

  stop(): void {
    this.body.off('data', this.onData).off('pause', this.onPause);
  }
}

const tooSlow = (): CodedError =>
  badRequest(`The body arrived at less than ${BYTES_PER_SECOND_MIN} bytes a second. Send it on a faster connection.`);

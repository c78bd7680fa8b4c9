// Limits the bytes of large texts that concurrent runs hold in memory. Tenants share them: one alone gets half, and its further texts wait
// in line. A run does not wait for long, because it holds a slot that others may need.
import { FairPlaces } from '@kiln/platform';
import { NoTextRoom } from './domain/no-text-room.js';

const PATIENCE_MS = 5_000;

export class TextMemory {
  private readonly places: FairPlaces;

  constructor(
    bytesMax: number,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    this.places = new FairPlaces(bytesMax);
  }

  /**
   * Resolves once there is room, with a function that gives it back. More than all bytes are granted alone. Rejects with NoTextRoom when there
   * remains full for some seconds, or with the signal's reason.
   */
  async take(tenantId: string, bytes: number, signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    await this.places.enter(tenantId, bytes, (giveUp) => {
      const onAbort = () => giveUp(signal.reason);
      const patience = setTimeout(() => giveUp(new NoTextRoom('no memory for a large text')), this.patienceMs);
      signal.addEventListener('abort', onAbort, { once: true });
      return () => {
        clearTimeout(patience);
        signal.removeEventListener('abort', onAbort);
      };
    });
    let isTaken = true;
    return () => {
      if (isTaken) this.places.release(tenantId, bytes);
      isTaken = false;
    };
  }
}

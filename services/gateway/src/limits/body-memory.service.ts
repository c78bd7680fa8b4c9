// Bounds the memory of JSON bodies, from before their first byte arrives until their request has ended. Short bodies pass at
// once.
import { CodedError } from '@kiln/contracts';
import { TenantQueue, type HeldPlaces, type PlaceOwner } from './tenant-queue.service.js';

const BYTES_MAX = 48 * 1024 * 1024;
const SHORT_BYTES_MAX = 16 * 1_024;
const RETRY_AFTER_SECONDS = 5;

export class BodyMemory {
  private readonly queue = new TenantQueue(BYTES_MAX, (by) =>
    by === 'tenant' ? tooMany('RATE_LIMITED', 'your requests') : tooMany('UNAVAILABLE', 'requests of others'),
  );

  /** Throws RATE_LIMITED or UNAVAILABLE when there is no room for 10 s. If the caller leaves, throws the reason of `left`. */
  hold(owner: PlaceOwner, bytesMax: number): Promise<HeldPlaces> {
    return this.queue.take(owner, bytesMax < SHORT_BYTES_MAX ? 0 : bytesMax);
  }
}

const tooMany = (code: 'RATE_LIMITED' | 'UNAVAILABLE', whose: string): CodedError =>
  new CodedError(code, `Bodies of ${whose} take all the memory there is for them. Retry when some have ended.`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

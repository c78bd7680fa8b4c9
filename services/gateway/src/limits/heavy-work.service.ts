// Limits the heavy requests of each tenant: long bodies, many rows, long queries. They wait for a place in their tenant's share, so a flood
// delays other tenants only a little. All other requests pass at once.
import { CodedError } from '@kiln/contracts';
import { TenantQueue, type HeldPlaces, type PlaceOwner } from './tenant-queue.service.js';

/**
 * One unit is about the work of an ordinary request. The heaviest request has 64, and a tenant alone gets one such request at a
 * time.
 */
const UNITS_MAX = 160;
const REQUEST_UNITS_MAX = 64;
const BYTES_PER_UNIT = 16 * 1_024;
const RETRY_AFTER_SECONDS = 5;

/** Returns the units of a JSON body, for its parsing and sending. A short body has none. */
export const unitsOfBytes = (bytes: number): number => Math.floor(bytes / BYTES_PER_UNIT);

export class HeavyWork {
  private readonly queue = new TenantQueue(UNITS_MAX, (by) =>
    by === 'tenant'
      ? refused('RATE_LIMITED', 'Too many of your large requests are waiting. Send fewer of them at a time.')
      : refused('UNAVAILABLE', 'Large requests of others take all places for them. Retry in a moment.'),
  );

  /** Throws RATE_LIMITED or UNAVAILABLE when there is no place for 10 s. If the caller leaves, throws the reason of `left`. */
  take(owner: PlaceOwner, units: number): Promise<HeldPlaces> {
    return this.queue.take(owner, Math.min(REQUEST_UNITS_MAX, units));
  }
}

const refused = (code: 'RATE_LIMITED' | 'UNAVAILABLE', message: string): CodedError =>
  new CodedError(code, message, { retryAfterSeconds: RETRY_AFTER_SECONDS });

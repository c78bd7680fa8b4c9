// Ids of events: UUIDv7 (RFC 9562), whose random bits come from a pool. To ask the kernel for sixteen bytes at a time costs as much
// as all the rest of an event; Node's own `randomUUID` keeps such a pool, too.
import { randomFillSync } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

const RANDOM_BYTES = 16;
const pool = new Uint8Array(256 * RANDOM_BYTES);
let used = pool.length;

function random(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.subarray(used, (used += RANDOM_BYTES));
}

export const newEventId = (): string => uuidv7({ rng: random });

// Chooses the ids of the things that a request makes. A repeat under the same Idempotency-Key chooses them again, so that it
// finds what an earlier attempt made although its answer was lost.
import { encodeId, type IdKind } from '@kiln/contracts';
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';

/**
 * A repeat chooses the same ids for so long after the first attempt. Ids begin with their time, by which the files service finds
 * bytes without a file.
 */
const REPEATABLE_MS = 60 * 60 * 1_000;
const TIME_DIGITS = 12;

export class RequestIds {
  /** `seed` is a UUIDv7 of the first attempt; null without an Idempotency-Key. */
  constructor(
    private readonly seed: string | null = null,
    /** An earlier attempt may have made the things that these ids name. */
    readonly mayExist = false,
  ) {}

  /** Whether a repeat of the request chooses the same ids. It may run beside this attempt, if the lease of this one has expired. */
  get areRepeatable(): boolean {
    return this.seed !== null;
  }

  /** `entry` distinguishes the ids of one kind in a request. */
  id(kind: IdKind, entry = ''): string {
    return encodeId(kind, this.uuid(`${kind} ${entry}`));
  }

  /** A UUIDv7. `name` distinguishes the ids of one request. */
  uuid(name: string): string {
    if (this.seed === null) return uuidv7();
    const msecs = Number.parseInt(this.seed.replaceAll('-', '').slice(0, TIME_DIGITS), 16);
    const random = createHash('sha256').update(`${this.seed} ${name}`).digest().subarray(0, 16);
    return uuidv7({ msecs, random });
  }
}

/** Seeds below this one are too old to be used again. */
export const oldestSeed = (now = Date.now()): string =>
  uuidv7({ msecs: now - REPEATABLE_MS, seq: 0, random: new Uint8Array(16) });

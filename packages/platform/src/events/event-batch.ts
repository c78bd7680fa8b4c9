// Events of many facts in one row of `outbox_batches`: their envelopes, one in each line, as they are or packed.
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** What `outbox_batches (envelopes, packed)` holds: one of both. */
export interface EventBatch {
  envelopes: string | null;
  /** In Brotli (RFC 7932). */
  packed: Buffer | null;
}

export interface StoredBatch extends EventBatch {
  /** Numbers, from 1, of the events that did not come true. */
  left_out: readonly number[];
}

/** To pack less takes longer than it saves, and a row that can be read as it is is worth something. */
const PACKED_FROM_CHARACTERS = 8_192;
/** The quickest: most of an envelope stands in the one before, which needs no long search. */
const QUICKEST = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY } };

/** JSON has no raw line end. */
export function eventBatch(envelopes: readonly string[]): EventBatch {
  const text = envelopes.join('\n');
  if (text.length < PACKED_FROM_CHARACTERS) return { envelopes: text, packed: null };
  return { envelopes: null, packed: brotliCompressSync(text, QUICKEST) };
}

/** The envelopes of the events that came true. */
export function envelopesOf({ envelopes, packed, left_out: leftOut }: StoredBatch): string[] {
  const lines = (packed ? brotliDecompressSync(packed).toString() : (envelopes ?? '')).split('\n');
  if (leftOut.length === 0) return lines;
  const without = new Set(leftOut);
  return lines.filter((_line, index) => !without.has(index + 1));
}

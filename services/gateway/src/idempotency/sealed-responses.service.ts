// Encrypts the digest and the response of a request with the operator's key. Without the key, a reader of the database can neither
// read them nor confirm a guess.
import { SealBrokenError, type EncryptionContext, type SealedRows, type Sealer } from '@kiln/platform';
import type { IdempotencyStore, KeyedRequest, SealedAnswerRow } from './idempotency.store.js';

const FINGERPRINT_CHARACTERS = 64;

export interface StoredResponse {
  /** SHA-256 of the request. */
  fingerprint: Buffer;
  text: string;
}

type Place = Pick<KeyedRequest, 'tenantId' | 'route' | 'keyHash'>;

const placeOf = ({ tenantId, route, keyHash }: Place): EncryptionContext => ({
  tenantId,
  rowId: `${route} ${keyHash.toString('hex')}`,
  name: 'answer',
});

export const sealResponse = (sealer: Sealer, place: Place, { fingerprint, text }: StoredResponse): Buffer =>
  sealer.seal(fingerprint.toString('hex') + text, placeOf(place));

/** Returns null when KILN_ENCRYPTION_KEY lacks the key that has sealed it. */
export function openResponse(sealer: Sealer, place: Place, sealed: Buffer): StoredResponse | null {
  try {
    const text = sealer.open(sealed, placeOf(place));
    return {
      fingerprint: Buffer.from(text.slice(0, FINGERPRINT_CHARACTERS), 'hex'),
      text: text.slice(FINGERPRINT_CHARACTERS),
    };
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}

/** The sealed column of all rows. It is sealed anew when the operator's key changes. */
export class SealedResponses implements SealedRows<SealedAnswerRow> {
  readonly name = 'answers kept for an Idempotency-Key';

  constructor(
    private readonly store: IdempotencyStore,
    private readonly sealer: Sealer,
  ) {}

  /** Reads only answers of the older keys. With a single key there are none. */
  async page(last: SealedAnswerRow | null, limit: number): Promise<SealedAnswerRow[]> {
    const heads = this.sealer.olderHeads;
    const start = last ? heads.findIndex((head) => head.equals(last.answerHead)) : 0;
    for (const head of heads.slice(start)) {
      const rows = await this.store.sealed(head, last?.answerHead.equals(head) ? last : null, limit);
      if (rows.length > 0) return rows;
    }
    return [];
  }

  async renew(row: SealedAnswerRow): Promise<boolean> {
    const answer = await this.store.sealedAnswer(row);
    if (!answer) return false;
    const sealed = this.sealer.reseal(answer, placeOf(row));
    return sealed !== null && this.store.reseal(row, answer, sealed);
  }
}

// The sealed columns of a webhook. A rotated secret moves from one column to the other as it is, so both are sealed alike.
import { SealBrokenError, type SealedPlace, type SealedRows, type Sealer } from '@kiln/platform';
import type { SealedWebhook, WebhookStore } from '../store/webhook.store.js';

interface Place {
  tenant_id: string;
  id: string;
}

const secretPlace = ({ tenant_id, id }: Place): SealedPlace => ({ tenantId: tenant_id, rowId: id, name: 'secret' });
const headersPlace = ({ tenant_id, id }: Place): SealedPlace => ({ tenantId: tenant_id, rowId: id, name: 'headers' });

export const sealSecret = (sealer: Sealer, place: Place, secret: string): Buffer =>
  sealer.seal(secret, secretPlace(place));

/** Null when the column is. */
export function openSecret<Column extends 'secret' | 'previous_secret'>(
  sealer: Sealer,
  row: Place & Record<Column, Buffer | null>,
  column: Column,
): string | null {
  const sealed = row[column];
  return sealed === null ? null : sealer.open(sealed, secretPlace(row));
}

/** Null for none. */
export const sealHeaders = (sealer: Sealer, place: Place, headers: Record<string, string>): Buffer | null =>
  Object.keys(headers).length === 0 ? null : sealer.seal(JSON.stringify(headers), headersPlace(place));

export const openHeaders = (sealer: Sealer, row: Place & { headers: Buffer | null }): Record<string, string> =>
  row.headers === null ? {} : (JSON.parse(sealer.open(row.headers, headersPlace(row))) as Record<string, string>);

/** The sealed columns of all webhooks, for when the operator's key changes. */
export class SealedWebhooks implements SealedRows<SealedWebhook> {
  readonly name = 'secrets of webhooks';

  constructor(
    private readonly webhooks: WebhookStore,
    private readonly sealer: Sealer,
  ) {}

  page(last: SealedWebhook | null, limit: number): Promise<SealedWebhook[]> {
    return this.webhooks.sealed(last, limit);
  }

  /** A column that does not open stays as it is, and keeps none of the others from being sealed anew. */
  async renew(row: SealedWebhook): Promise<boolean> {
    let broken: SealBrokenError | null = null;
    const anew = (sealed: Buffer | null, place: SealedPlace) => {
      if (sealed === null || !this.sealer.isOld(sealed)) return sealed;
      try {
        return this.sealer.seal(this.sealer.open(sealed, place), place);
      } catch (error) {
        if (!(error instanceof SealBrokenError)) throw error;
        broken = error;
        return sealed;
      }
    };
    const renewed = {
      secret: anew(row.secret, secretPlace(row)) ?? row.secret,
      previous_secret: anew(row.previous_secret, secretPlace(row)),
      headers: anew(row.headers, headersPlace(row)),
    };
    const isChanged =
      renewed.secret !== row.secret ||
      renewed.previous_secret !== row.previous_secret ||
      renewed.headers !== row.headers;
    const isWritten = isChanged && (await this.webhooks.reseal(row, renewed));
    if (broken !== null) throw broken;
    return isWritten;
  }
}

import { SealBrokenError, Sealer, type EncryptionContext, type SealedRows } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { headersContext, secretContext } from './webhook-secrets.service.js';
import { WebhookStore, type SealedWebhook } from './webhook.store.js';

/** The sealed columns of all webhooks, for resealing when the operator's key changes. */
@Injectable()
export class SealedWebhooks implements SealedRows<SealedWebhook> {
  readonly name = 'secrets of webhooks';

  constructor(
    private readonly webhooks: WebhookStore,
    private readonly sealer: Sealer,
  ) {}

  page(last: SealedWebhook | null, limit: number): Promise<SealedWebhook[]> {
    return this.webhooks.sealed(last, limit);
  }

  /** A column that cannot be decrypted stays unchanged. It does not keep the other columns from being resealed. */
  async renew(row: SealedWebhook): Promise<boolean> {
    let broken: SealBrokenError | null = null;
    const anew = (sealed: Buffer | null, place: EncryptionContext) => {
      try {
        return sealed && (this.sealer.reseal(sealed, place) ?? sealed);
      } catch (error) {
        if (!(error instanceof SealBrokenError)) throw error;
        broken = error;
        return sealed;
      }
    };
    const renewed = {
      secret: anew(row.secret, secretContext(row)) ?? row.secret,
      previous_secret: anew(row.previous_secret, secretContext(row)),
      earlier_secrets: row.earlier_secrets.map((earlier) => anew(earlier, secretContext(row)) ?? earlier),
      headers: anew(row.headers, headersContext(row)),
    };
    const isChanged =
      renewed.secret !== row.secret ||
      renewed.previous_secret !== row.previous_secret ||
      renewed.earlier_secrets.some((earlier, index) => earlier !== row.earlier_secrets[index]) ||
      renewed.headers !== row.headers;
    const isWritten = isChanged && (await this.webhooks.reseal(row, renewed));
    if (broken !== null) throw broken;
    return isWritten;
  }
}

// The credentials of a callback: the token in its URL names the extraction, and the organization's secret signs its body.
import { EXTRACTION_CALLBACK, keyOf, openIds, providerKeyContext, Signer, type Sealer } from '@kiln/platform';
import type { KeyedProvider } from '@kiln/contracts';
import type { KeyObject } from 'node:crypto';

/** The ids are uuids, as services use them. */
export interface CallbackPlace {
  tenantId: string;
  jobId: string;
  extractionId: string;
}

export class ExtractionCallbacks {
  private readonly signer: Signer;

  /** `keys` has the form of `KILN_ENCRYPTION_KEY`. */
  constructor(
    keys: string,
    private readonly sealer: Pick<Sealer, 'open'>,
  ) {
    this.signer = new Signer(keys, EXTRACTION_CALLBACK);
  }

  /** Returns null if no worker has signed the token. */
  open(token: string): CallbackPlace | null {
    const [tenantId, jobId, extractionId] = openIds(this.signer, token, 3) ?? [];
    return tenantId && jobId && extractionId ? { tenantId, jobId, extractionId } : null;
  }

  /** Returns the key of the organization's extractor for the provider. */
  keyOf(tenantId: string, provider: KeyedProvider, sealedSecret: string): KeyObject {
    return keyOf(this.sealer.open(Buffer.from(sealedSecret, 'base64'), providerKeyContext(tenantId, provider)));
  }
}

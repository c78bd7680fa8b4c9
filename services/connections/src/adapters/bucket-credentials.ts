// Credentials between their text and the sealed column. Opened ones go to the adapter of a bucket, and nowhere else.
import type { BucketCredentials } from '@kiln/contracts';
import type { SealedPlace, SealedRows, Sealer } from '@kiln/platform';
import type { ConnectionStore, SealedConnection } from '../store/connection.store.js';

interface Place {
  tenant_id: string;
  id: string;
}

const placeOf = ({ tenant_id, id }: Place): SealedPlace => ({ tenantId: tenant_id, rowId: id, name: 'credentials' });

export const sealCredentials = (sealer: Sealer, place: Place, credentials: BucketCredentials): Buffer =>
  sealer.seal(JSON.stringify(credentials), placeOf(place));

/** Throws SealBrokenError when KILN_ENCRYPTION_KEY lacks the key they were sealed with. */
export const openCredentials = (sealer: Sealer, row: Place & { credentials: Buffer }): BucketCredentials =>
  JSON.parse(sealer.open(row.credentials, placeOf(row))) as BucketCredentials;

/** The sealed column of all connections, for when the operator's key changes. */
export class SealedCredentials implements SealedRows<SealedConnection> {
  readonly name = 'credentials of connections';

  constructor(
    private readonly connections: ConnectionStore,
    private readonly sealer: Sealer,
  ) {}

  page(last: SealedConnection | null, limit: number): Promise<SealedConnection[]> {
    return this.connections.sealed(last, limit);
  }

  async renew(row: SealedConnection): Promise<boolean> {
    if (!this.sealer.isOld(row.credentials)) return false;
    return this.connections.reseal(row, sealCredentials(this.sealer, row, openCredentials(this.sealer, row)));
  }
}

/** What must not be told, wherever a provider may repeat it. */
export function secretsOf(credentials: BucketCredentials): string[] {
  switch (credentials.kind) {
    case 'accessKey':
      return [credentials.secret_access_key, ...(credentials.session_token ? [credentials.session_token] : [])];
    case 'role':
      return [];
    case 'serviceAccount':
      return [credentials.private_key];
    case 'servicePrincipal':
      return [credentials.client_secret];
    case 'accountKey':
      return [credentials.account_key];
  }
}

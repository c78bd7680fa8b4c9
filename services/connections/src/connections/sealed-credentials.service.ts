// Seals and opens credentials. Opened credentials are passed to the bucket opener only.
import type { BucketCredentials } from '@kiln/contracts';
import { Sealer, type EncryptionContext, type SealedRows } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { ConnectionStore, type SealedConnection } from './connection.store.js';

interface Place {
  tenant_id: string;
  id: string;
}

const placeOf = ({ tenant_id, id }: Place): EncryptionContext => ({
  tenantId: tenant_id,
  rowId: id,
  name: 'credentials',
});

export const sealCredentials = (sealer: Sealer, place: Place, credentials: BucketCredentials): Buffer =>
  sealer.seal(JSON.stringify(credentials), placeOf(place));

/** Throws SealBrokenError when KILN_ENCRYPTION_KEY does not contain the key that sealed them. */
export const openCredentials = (sealer: Sealer, row: Place & { credentials: Buffer }): BucketCredentials =>
  JSON.parse(sealer.open(row.credentials, placeOf(row))) as BucketCredentials;

/** The sealed credentials of all connections, for resealing when the operator's key changes. */
@Injectable()
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
    const sealed = this.sealer.reseal(row.credentials, placeOf(row));
    return sealed !== null && this.connections.reseal(row, sealed);
  }
}

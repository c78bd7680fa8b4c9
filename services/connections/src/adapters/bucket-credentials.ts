// Credentials between their text and the sealed column. Opened ones go to the adapter of a bucket, and nowhere else.
import type { BucketCredentials } from '@kiln/contracts';
import type { SealedPlace, Sealer } from '@kiln/platform';

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

/** Sealed with the newest encryption key; null when they are already. */
export function renewedCredentials(sealer: Sealer, row: Place & { credentials: Buffer }): Buffer | null {
  if (!sealer.isOld(row.credentials)) return null;
  return sealer.seal(sealer.open(row.credentials, placeOf(row)), placeOf(row));
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

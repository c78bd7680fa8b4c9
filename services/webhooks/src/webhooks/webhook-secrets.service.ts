// The sealed columns of a webhook. A rotation moves a secret unchanged from one column to the other, so both are sealed for the same place.
import type { EncryptionContext, Sealer } from '@kiln/platform';

interface Place {
  tenant_id: string;
  id: string;
}

export const secretContext = ({ tenant_id, id }: Place): EncryptionContext => ({
  tenantId: tenant_id,
  rowId: id,
  name: 'secret',
});
export const headersContext = ({ tenant_id, id }: Place): EncryptionContext => ({
  tenantId: tenant_id,
  rowId: id,
  name: 'headers',
});

export const sealSecret = (sealer: Sealer, place: Place, secret: string): Buffer =>
  sealer.seal(secret, secretContext(place));

/** Null when the column is null. */
export function openSecret<Column extends 'secret' | 'previous_secret'>(
  sealer: Sealer,
  row: Place & Record<Column, Buffer | null>,
  column: Column,
): string | null {
  const sealed = row[column];
  return sealed === null ? null : sealer.open(sealed, secretContext(row));
}

/** Null without headers. */
export const sealHeaders = (sealer: Sealer, place: Place, headers: Record<string, string>): Buffer | null =>
  Object.keys(headers).length === 0 ? null : sealer.seal(JSON.stringify(headers), headersContext(place));

export const openHeaders = (sealer: Sealer, row: Place & { headers: Buffer | null }): Record<string, string> =>
  row.headers === null ? {} : (JSON.parse(sealer.open(row.headers, headersContext(row))) as Record<string, string>);

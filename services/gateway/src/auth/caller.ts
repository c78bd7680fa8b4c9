// Who is calling, once a key has been accepted.
import { encodeId, type Scope } from '@kiln/contracts';
import type { KeyMode } from './api-key.js';

export interface Caller {
  /** TypeID of the key; safe to log. */
  keyId: string;
  keyName: string;
  organizationId: string;
  /** The data plane (uuid) this key sees. */
  tenantId: string;
  scopes: readonly Scope[];
  mode: KeyMode;
}

export interface KeyRow {
  id: string;
  name: string;
  scopes: Scope[];
  mode: KeyMode;
  organization_id: string;
  tenant_id: string;
}

export function callerOf(row: KeyRow): Caller {
  return {
    keyId: encodeId('key', row.id),
    keyName: row.name,
    organizationId: encodeId('organization', row.organization_id),
    tenantId: row.tenant_id,
    scopes: row.scopes,
    mode: row.mode,
  };
}

export const holdsScope = (caller: Caller, scope: Scope): boolean =>
  caller.scopes.includes('*') || caller.scopes.includes(scope);

import type { KeyMode, Scope } from '@kiln/contracts';
import type { Database } from '@kiln/platform';
import { newApiKey } from '../keys/api-key.domain.js';
import { ApiKeyStore } from '../keys/api-key.store.js';

interface KeyWishes {
  name: string;
  /** Default: everything. */
  scopes?: readonly Scope[];
  /** Default: `live`. */
  mode?: KeyMode;
  /** Default: never. */
  expiresAt?: Date | undefined;
}

/** Creates a key of the organization. Returns the line to print: the id and the value, which is stored nowhere. */
export async function createKey(
  database: Database,
  organizationId: string,
  { name, scopes = ['*'], mode = 'live', expiresAt }: KeyWishes,
): Promise<string> {
  const { value, fingerprint } = newApiKey(mode);
  const key = { name, scopes, expires_at: expiresAt ?? null };
  const { id } = await new ApiKeyStore(database).create(organizationId, fingerprint, key);
  return `${id}  ${value}`;
}

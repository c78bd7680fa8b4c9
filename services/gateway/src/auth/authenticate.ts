// From the Authorization header to a caller, or 401; from the caller to a scope, or 403.
import { CodedError, type Scope } from '@kiln/contracts';
import { fingerprintOf, keyOfHeader } from './api-key.js';
import type { ApiKeyStore } from './api-key.store.js';
import { holdsScope, type Caller } from './caller.js';

const unauthorized = (message: string) => new CodedError('UNAUTHORIZED', message);

/** Throws UNAUTHORIZED. Which of unknown, revoked and expired it was stays untold. */
export async function authenticate(header: string | undefined, keys: ApiKeyStore): Promise<Caller> {
  if (header === undefined) throw unauthorized('Send the header Authorization: ApiKey <key>.');
  const value = keyOfHeader(header);
  if (value === null) throw unauthorized('The Authorization header must read: ApiKey <key>.');
  const fingerprint = fingerprintOf(value);
  const caller = fingerprint && (await keys.findCaller(fingerprint.hash));
  if (!caller) throw unauthorized('The API key is not valid. It may be mistyped, revoked or expired.');
  return caller;
}

/** Throws FORBIDDEN when the caller's key lacks the scope. Null asks for authentication only. */
export function authorize(caller: Caller, scope: Scope | null): void {
  if (scope === null || holdsScope(caller, scope)) return;
  throw new CodedError('FORBIDDEN', `The API key lacks the scope ${scope}. Use a key that has it.`);
}

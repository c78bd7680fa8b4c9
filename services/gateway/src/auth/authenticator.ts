// From the Authorization header to a caller, or 401; from the caller to a scope, or 403.
import { CodedError, type Scope } from '@kiln/contracts';
import type { PortalTokenStore } from '../portal/portal-token.store.js';
import { portalTokenHash } from '../portal/portal-token.js';
import { fingerprintOf } from './api-key.js';
import type { ApiKeyStore } from './api-key.store.js';
import { credentialsOf } from './authorization-header.js';
import { holdsScope, type KeyCaller, type PortalCaller } from './caller.js';
import type { JwtAuthenticator } from './jwt-authenticator.js';
import type { KeyUsage } from './key-usage.js';
import { Remembered } from './remembered.js';

export interface AuthenticatorParts {
  keys: Pick<ApiKeyStore, 'findCaller'>;
  keyUsage: Pick<KeyUsage, 'note'>;
  portalTokens: Pick<PortalTokenStore, 'findCaller'>;
  /** Null while no issuer of bearer tokens is configured. */
  jwt: JwtAuthenticator | null;
}

const unauthorized = (message: string) => new CodedError('UNAUTHORIZED', message);

/** Which of unknown, revoked and expired it was stays untold. */
export const invalidKey = () => unauthorized('The API key is not valid. It may be mistyped, revoked or expired.');

export class Authenticator {
  /** By the hash of the key. Who takes a caller from here asks Redis for revocations before the request goes on. */
  private readonly remembered = new Remembered<KeyCaller>();

  constructor(private readonly parts: AuthenticatorParts) {}

  /** Whoever holds an API key or a bearer token. Throws UNAUTHORIZED, and UNAVAILABLE when that can't be told now. */
  async keyCaller(header: string | undefined): Promise<KeyCaller> {
    const { jwt } = this.parts;
    const forms = jwt ? 'ApiKey <key> or Bearer <token>' : 'ApiKey <key>';
    if (header === undefined) throw unauthorized(`Send the header Authorization: ${forms}.`);
    const credentials = credentialsOf(header);
    if (credentials?.scheme === 'apikey') return this.apiKeyCaller(credentials.value);
    if (credentials?.scheme === 'bearer' && jwt) return jwt.authenticate(credentials.value);
    throw unauthorized(`The Authorization header must read: ${forms}.`);
  }

  /**
   * Looks again, at the database itself: for when Redis, which knows of revocations, can't be asked.
   * Throws UNAUTHORIZED when the key is not valid any more.
   */
  async confirm(header: string | undefined): Promise<void> {
    const credentials = header === undefined ? null : credentialsOf(header);
    const fingerprint = credentials?.scheme === 'apikey' ? fingerprintOf(credentials.value) : null;
    if (fingerprint && !(await this.parts.keys.findCaller(fingerprint.hash))) throw invalidKey();
  }

  /** Forgets whom it remembers: when Redis may have lost its marks of revoked keys. */
  forget(): void {
    this.remembered.clear();
  }

  /** Whoever holds a portal token. Throws UNAUTHORIZED. */
  async portalCaller(header: string | undefined): Promise<PortalCaller> {
    if (header === undefined) throw unauthorized('Send the header Authorization: PortalToken <token>.');
    const credentials = credentialsOf(header);
    if (credentials?.scheme !== 'portaltoken') {
      throw unauthorized('The Authorization header must read: PortalToken <token>.');
    }
    const hash = portalTokenHash(credentials.value);
    const caller = hash && (await this.parts.portalTokens.findCaller(hash));
    if (!caller) throw unauthorized('The portal token is not valid. It may be mistyped, revoked or expired.');
    return caller;
  }

  private async apiKeyCaller(value: string): Promise<KeyCaller> {
    const fingerprint = fingerprintOf(value);
    const caller = fingerprint && (await this.callerByHash(fingerprint.hash));
    if (!caller) throw invalidKey();
    this.parts.keyUsage.note(caller.principal);
    return caller;
  }

  private async callerByHash(hash: Buffer): Promise<KeyCaller | null> {
    const name = hash.toString('latin1');
    return this.remembered.get(name) ?? this.remembered.read(name, () => this.parts.keys.findCaller(hash));
  }
}

/** Throws FORBIDDEN naming every scope that the caller lacks. */
export function authorize(caller: KeyCaller, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !holdsScope(caller, scope));
  if (missing.length === 0) return;
  const [noun, pronoun] = missing.length === 1 ? ['scope', 'it'] : ['scopes', 'them'];
  throw new CodedError(
    'FORBIDDEN',
    `The credentials lack the ${noun} ${missing.join(', ')}. Use a key that has ${pronoun}.`,
  );
}

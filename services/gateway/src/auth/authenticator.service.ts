// Finds the caller of an Authorization header, or answers 401. Checks what a caller may do, or 403.
import { CodedError } from '@kiln/contracts';
import type { PortalTokenStore } from '../portal/portal-token.store.js';
import { portalTokenFingerprint } from '../portal/portal-token.domain.js';
import { fingerprintOf } from '../keys/api-key.domain.js';
import type { Route } from '../routes/kinds.route.js';
import { changesLiveData, scopesOf } from '../routes/row-facts.domain.js';
import { credentialsOf } from './authorization-header.domain.js';
import { holdsScope, type KeyCaller, type PortalCaller } from './caller.domain.js';
import type { JwtAuthenticator } from './jwt-authenticator.service.js';
import type { KeyUsage } from '../keys/key-usage.service.js';
import type { KeyCallerStore } from './key-caller.store.js';
import { TtlCache } from './ttl-cache.service.js';

export interface AuthenticatorParts {
  keys: Pick<KeyCallerStore, 'findCaller'>;
  keyUsage: Pick<KeyUsage, 'record'>;
  portalTokens: Pick<PortalTokenStore, 'find'>;
  /** Null while no issuer of bearer tokens is configured. */
  jwt: JwtAuthenticator | null;
}

const unauthorized = (message: string) => new CodedError('UNAUTHORIZED', message);

/** The message does not say which of the three it was: that would help to guess keys. */
export const invalidKey = () => unauthorized('The API key is not valid. It may be mistyped, revoked or expired.');

export class Authenticator {
  /**
   * The callers by the hashes of their keys. A cached caller may have been revoked, so admission also asks Redis
   * (docs/adr/0007-cached-keys.md).
   */
  private readonly callers = new TtlCache<KeyCaller>();

  constructor(private readonly parts: AuthenticatorParts) {}

  /**
   * Returns the holder of an API key or a bearer token. Throws UNAUTHORIZED, or UNAVAILABLE when the database or issuer does not
   * respond.
   */
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
   * Checks an API key against the database, past the cache, because Redis cannot be asked for revocations. Throws UNAUTHORIZED
   * when the key is no longer valid.
   */
  async confirm(header: string | undefined): Promise<void> {
    const credentials = credentialsOf(header);
    const fingerprint = credentials?.scheme === 'apikey' ? fingerprintOf(credentials.value) : null;
    if (fingerprint && !(await this.parts.keys.findCaller(fingerprint.hash))) throw invalidKey();
  }

  /**
   * Checks the credentials of a request that is still being answered, past the cache. Throws UNAUTHORIZED when they are no longer valid, or
   * UNAVAILABLE.
   */
  async reconfirm(header: string | undefined): Promise<void> {
    const scheme = credentialsOf(header)?.scheme;
    if (scheme === 'portaltoken') await this.portalCaller(header);
    else if (scheme === 'bearer') await this.keyCaller(header);
    else await this.confirm(header);
  }

  /** Empties the cache, because Redis may have lost its marks of revoked keys. */
  clearCache(): void {
    this.callers.clear();
  }

  /** Returns the holder of a portal token. Throws UNAUTHORIZED. */
  async portalCaller(header: string | undefined): Promise<PortalCaller> {
    if (header === undefined) throw unauthorized('Send the header Authorization: PortalToken <token>.');
    const credentials = credentialsOf(header);
    if (credentials?.scheme !== 'portaltoken') {
      throw unauthorized('The Authorization header must read: PortalToken <token>.');
    }
    const fingerprint = portalTokenFingerprint(credentials.value);
    const found = fingerprint && (await this.parts.portalTokens.find(fingerprint.hash));
    if (!found) throw unauthorized('The portal token is not valid. It may be mistyped, revoked or expired.');
    return found.caller;
  }

  private async apiKeyCaller(value: string): Promise<KeyCaller> {
    const hash = fingerprintOf(value)?.hash;
    const caller =
      hash && (await this.callers.getOrLoad(hash.toString('latin1'), () => this.parts.keys.findCaller(hash)));
    if (!caller) throw invalidKey();
    this.parts.keyUsage.record(caller.principal);
    return caller;
  }
}

/** Throws FORBIDDEN, which names every scope that the caller lacks, or says that a test caller would change live data. */
export function authorize(caller: KeyCaller, route: Route): void {
  const missing = scopesOf(route).filter((scope) => !holdsScope(caller, scope));
  if (missing.length > 0) {
    const [noun, pronoun] = missing.length === 1 ? ['scope', 'it'] : ['scopes', 'them'];
    const message = `The credentials lack the ${noun} ${missing.join(', ')}. Use a key that has ${pronoun}.`;
    throw new CodedError('FORBIDDEN', message);
  }
  if (caller.mode === 'test' && changesLiveData(route)) {
    throw new CodedError(
      'FORBIDDEN',
      'Test credentials cannot change this, because live data uses it. Use a live key.',
    );
  }
}

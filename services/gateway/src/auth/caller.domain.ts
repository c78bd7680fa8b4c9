// The caller of a request, after its credentials were accepted.
import { CodedError, type KeyMode, type Scope } from '@kiln/contracts';
import type { Plan } from '../organizations/plan.domain.js';

interface CallerBase {
  /** Names the credentials in logs, limits and calls to services: `key_…`, `jwt_…` or `ptk_…`. It is never secret. */
  principal: string;
  organizationId: string;
  /** The tenant (uuid) whose data these credentials see. */
  tenantId: string;
  mode: KeyMode;
  plan: Plan;
}

/** The holder of an API key or a bearer token. */
export interface KeyCaller extends CallerBase {
  authType: 'api_key' | 'jwt';
  keyName: string;
  scopes: readonly Scope[];
  /**
   * When the key expires. Null if it never does, or if the caller holds a bearer token, whose issuer decides who gets the next
   * one.
   */
  expiresAt: Date | null;
  /** The live tenant (uuid) of the organization. For a test key this is not its own tenant. */
  liveTenantId: string;
}

/** What the request log says of a caller. */
export type Requester = Pick<KeyCaller, 'tenantId' | 'authType' | 'keyName'>;

/** The holder of a portal token, who may read one space and has no scopes. */
export interface PortalCaller extends CallerBase {
  authType: 'portal_token';
  space: string;
}

export type Caller = KeyCaller | PortalCaller;

export const holdsScope = ({ scopes }: Pick<KeyCaller, 'scopes'>, scope: Scope): boolean =>
  scopes.includes('*') || scopes.includes(scope);

/**
 * The space to read: that of a portal token, or the one that a key asked for. Throws FORBIDDEN when a portal token asks for another
 * space than its own.
 */
export function spaceFor(caller: Caller, asked: string | undefined): { space?: string } {
  if (caller.authType !== 'portal_token') return asked === undefined ? {} : { space: asked };
  if (asked !== undefined && asked !== caller.space) {
    throw new CodedError('FORBIDDEN', `The portal token opens the space ${caller.space} only. Leave out space.`);
  }
  return { space: caller.space };
}

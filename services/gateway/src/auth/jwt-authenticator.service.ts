// Finds the caller of a bearer token: the claims name the organization, the scopes, and who acts.
import { CodedError, idSchema, keyModes, scopes, type Scope } from '@kiln/contracts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { OrganizationStore, Tenants } from '../organizations/organization.store.js';
import type { KeyCaller } from './caller.domain.js';
import type { JwtVerifier } from './jwt-verifier.adapter.js';
import { TtlCache } from './ttl-cache.service.js';

const SUBJECT_LENGTH_MAX = 255;

const claimsSchema = z.object({
  org_id: idSchema('organization'),
  sub: z.string().min(1).max(SUBJECT_LENGTH_MAX),
  scope: z.string().default(''),
  mode: z.enum(keyModes).default('live'),
});

export class JwtAuthenticator {
  private readonly tenants = new TtlCache<Tenants>();

  constructor(
    private readonly verifier: Pick<JwtVerifier, 'verify'>,
    private readonly organizations: Pick<OrganizationStore, 'findTenants'>,
  ) {}

  /** Throws UNAUTHORIZED, or UNAVAILABLE when the issuer or the database does not respond. */
  async authenticate(token: string): Promise<KeyCaller> {
    const claims = claimsSchema.safeParse(await this.verifier.verify(token));
    if (!claims.success) {
      const names = [...new Set(claims.error.issues.map(({ path }) => String(path[0])))].join(', ');
      throw new CodedError('UNAUTHORIZED', `These claims of the bearer token are missing or malformed: ${names}.`);
    }
    const { org_id: organizationId, sub, scope, mode } = claims.data;
    const tenants = await this.tenantsOf(organizationId);
    if (!tenants) throw new CodedError('UNAUTHORIZED', 'The bearer token names an organization that does not exist.');
    return {
      authType: 'jwt',
      principal: principalOf(organizationId, sub),
      keyName: sub,
      organizationId,
      tenantId: tenants[mode],
      liveTenantId: tenants.live,
      scopes: scopesOf(scope),
      expiresAt: null,
      mode,
      plan: tenants.plan,
    };
  }

  private tenantsOf(organizationId: string): Promise<Tenants | null> {
    return this.tenants.getOrLoad(organizationId, async () => {
      const value = await this.organizations.findTenants(organizationId);
      return value && { value };
    });
  }
}

/** The principal is a digest, because a subject may be any text, such as an e-mail address, and principals are logged. */
function principalOf(organizationId: string, subject: string): string {
  const digest = createHash('sha256').update(`${organizationId}\n${subject}`).digest('hex');
  return `jwt_${digest.slice(0, 32)}`;
}

/** Issuers put scopes of other systems into the same claim. Kiln ignores them. */
function scopesOf(claim: string): Scope[] {
  const known: readonly string[] = scopes;
  return [...new Set(claim.split(' '))].filter((scope): scope is Scope => known.includes(scope));
}

// From a bearer token to a caller: the claims name the organization, the scopes, and who acts.
import { CodedError, idSchema, keyModes, scopes, type Scope } from '@kiln/contracts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { OrganizationStore, Tenants } from '../organizations/organization.store.js';
import type { KeyCaller } from './caller.js';
import type { JwtVerifier } from './jwt-verifier.js';
import { Remembered } from './remembered.js';

const SUBJECT_LENGTH_MAX = 255;

const claimsSchema = z.object({
  org_id: idSchema('organization'),
  sub: z.string().min(1).max(SUBJECT_LENGTH_MAX),
  scope: z.string().default(''),
  mode: z.enum(keyModes).default('live'),
});

export class JwtAuthenticator {
  private readonly tenants = new Remembered<Tenants>();

  constructor(
    private readonly verifier: Pick<JwtVerifier, 'verify'>,
    private readonly organizations: Pick<OrganizationStore, 'findTenants'>,
  ) {}

  /** Throws UNAUTHORIZED, or UNAVAILABLE when the issuer or the database can't be asked. */
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
      mode,
      plan: tenants.plan,
    };
  }

  private async tenantsOf(organizationId: string): Promise<Tenants | null> {
    const remembered = this.tenants.get(organizationId);
    if (remembered) return remembered;
    return this.tenants.read(organizationId, async () => {
      const value = await this.organizations.findTenants(organizationId);
      return value && { value };
    });
  }
}

/** A subject may be an e-mail address, or any text at all: logs and headers get a digest of it. */
function principalOf(organizationId: string, subject: string): string {
  const digest = createHash('sha256').update(`${organizationId}\n${subject}`).digest('hex');
  return `jwt_${digest.slice(0, 32)}`;
}

/** Issuers put scopes of other systems into the same claim; those mean nothing here. */
function scopesOf(claim: string): Scope[] {
  const known: readonly string[] = scopes;
  return [...new Set(claim.split(' '))].filter((scope): scope is Scope => known.includes(scope));
}

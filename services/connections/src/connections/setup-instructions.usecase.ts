// The providers, and how to grant Kiln access at each of them.
import { storageProviderIds, storageProviderOf, type ConnectionsInput, type ConnectionsOutput } from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { CONNECTIONS_CONFIG, type ConnectionsConfig } from '../config.js';
import { OIDC_ISSUER } from '../external-buckets/external-buckets.module.js';
import type { OidcIssuer } from '../external-buckets/oidc-issuer.service.js';
import { instructionsFor } from './instructions.domain.js';

@Injectable()
export class SetupInstructions {
  private readonly awsPrincipal: string | undefined;

  constructor(
    @Inject(CONNECTIONS_CONFIG) config: ConnectionsConfig,
    @Inject(OIDC_ISSUER) private readonly issuer: OidcIssuer | null,
  ) {
    this.awsPrincipal = config.KILN_CONNECTIONS_AWS_PRINCIPAL;
  }

  listProviders(): ConnectionsOutput<'listProviders'> {
    const providers = storageProviderIds.map((id) => {
      const { name, authTypes } = storageProviderOf(id);
      return { id, name, auth_type: authTypes[0], auth_types: [...authTypes] };
    });
    return { providers };
  }

  async start(input: ConnectionsInput<'startConnection'>): Promise<ConnectionsOutput<'startConnection'>> {
    const { provider, org_id: organizationId } = input;
    const [authType] = storageProviderOf(provider).authTypes;
    const { awsPrincipal, issuer } = this;
    const oidc = issuer && { issuer: issuer.issuer, jwks: await issuer.keySet() };
    const instructions = instructionsFor(provider, { organizationId, awsPrincipal, oidc });
    return { provider, auth_type: authType, instructions };
  }
}

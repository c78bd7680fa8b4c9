// Checks what callers give before it is used or stored. Errors name the fields of the API.
import type { BucketCredentials, ConnectionsInput, StorageProviderId } from '@kiln/contracts';
import { OutboundPolicy } from '@kiln/outbound';
import { Inject, Injectable } from '@nestjs/common';
import { OIDC_ISSUER } from '../external-buckets/external-buckets.module.js';
import type { OidcIssuer } from '../external-buckets/oidc-issuer.service.js';
import { acceptedCredentials, type GivenInput } from './accepted-credentials.domain.js';
import { assertNotifications } from './accepted-notifications.domain.js';

@Injectable()
export class InputChecks {
  constructor(
    private readonly policy: OutboundPolicy,
    @Inject(OIDC_ISSUER) private readonly issuer: OidcIssuer | null,
  ) {}

  /** Throws BAD_REQUEST. */
  credentials(given: GivenInput): Promise<BucketCredentials> {
    return acceptedCredentials({ policy: this.policy, hasIssuer: this.issuer !== null }, given);
  }

  /** Throws BAD_REQUEST. */
  notifications(
    provider: StorageProviderId,
    given: ConnectionsInput<'updateConnection'>['notifications'],
  ): Promise<void> {
    return assertNotifications(this.policy, provider, given);
  }
}

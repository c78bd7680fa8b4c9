// Checks credentials before they are used or stored. Errors name the fields of the API.
import {
  badRequest,
  listBucketsSchema,
  parseCredentials,
  parseInput,
  type BucketCredentials,
  type StorageProviderId,
} from '@kiln/contracts';
import { OutboundRefusedError, type OutboundPolicy } from '@kiln/outbound';
import { endpointOf } from '../external-buckets/domain/bucket-place.js';

export interface GivenInput {
  provider: StorageProviderId;
  region?: string | null | undefined;
  org_id: string;
  credentials: Record<string, unknown>;
}

const ISSUER_MISSING =
  'credentials.type must be "service_account": the operator has configured no OpenID Connect issuer (KILN_CONNECTIONS_OIDC_ISSUER), so ' +
  'Kiln cannot sign in by workload identity federation. Ask the operator, or connect with the JSON key of a service account.';

export interface CredentialRules {
  policy: Pick<OutboundPolicy, 'assertUrl'>;
  /** Whether the operator has configured an issuer of tokens. */
  hasIssuer: boolean;
}

/** Throws BAD_REQUEST. */
export async function acceptedCredentials(
  { policy, hasIssuer }: CredentialRules,
  { provider, region, org_id, credentials: given }: GivenInput,
): Promise<BucketCredentials> {
  // Some operations have no provider in their schema, so they are checked here for the first time.
  parseInput(listBucketsSchema, { provider, region, credentials: given });
  const credentials = parseCredentials(provider, given);
  // A role trusts Kiln together with an external id. An organization may use only its own, or it could use the roles of others.
  if (credentials.kind === 'role' && credentials.external_id !== org_id) {
    throw badRequest('credentials.external_id must be the one that POST /v1/connections/start returns');
  }
  if (credentials.kind === 'workloadIdentity') {
    if (!hasIssuer) throw badRequest(ISSUER_MISSING);
    return { ...credentials, subject: org_id };
  }
  const endpoint = endpointOf(credentials);
  if (endpoint !== null) await assertEndpoint(policy, endpoint);
  return credentials;
}

async function assertEndpoint(policy: Pick<OutboundPolicy, 'assertUrl'>, endpoint: string): Promise<void> {
  try {
    await policy.assertUrl(new URL(endpoint));
  } catch (error) {
    if (error instanceof OutboundRefusedError) throw badRequest(`credentials.endpoint ${error.message}`);
    throw error;
  }
}

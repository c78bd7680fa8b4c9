// How credentials of connections sign in at AWS and Azure, in the form of packages/storage.
import type { CredentialsOf } from '@kiln/contracts';
import type { NodeAgents } from '@kiln/outbound';
import type { ClientSecretToken } from '@kiln/storage/azure';
import type { AssumedRoleConfig, S3Keys } from '@kiln/storage/s3';

const SESSION_NAME = 'kiln';
export const REGION_DEFAULT = 'us-east-1';

export const keysOf = (given: CredentialsOf<'accessKey'>): S3Keys => ({
  accessKeyId: given.access_key_id,
  secretAccessKey: given.secret_access_key,
  ...(given.session_token && { sessionToken: given.session_token }),
});

export const roleOf = (given: CredentialsOf<'role'>, region: string): AssumedRoleConfig => ({
  roleArn: given.role_arn,
  externalId: given.external_id,
  sessionName: SESSION_NAME,
  region,
});

export async function azureTokenOf(
  { tenant_id: tenantId, client_id: clientId, client_secret: clientSecret }: CredentialsOf<'servicePrincipal'>,
  options: { authority: string; agents: NodeAgents; requestTimeoutMs: number },
): Promise<ClientSecretToken> {
  const { ClientSecretToken } = await import('@kiln/storage/azure');
  return new ClientSecretToken({ ...options, tenantId, clientId, clientSecret });
}

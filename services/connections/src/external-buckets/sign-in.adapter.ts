// How credentials of connections sign in at AWS and Azure, in the form of packages/storage.
import type { CredentialsOf } from '@kiln/contracts';
import type { NodeAgents } from '@kiln/outbound';
import type { AzureSignIn } from '@kiln/storage/azure';
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

export type AzureCredentials =
  | CredentialsOf<'servicePrincipal'>
  | CredentialsOf<'accountKey'>
  | CredentialsOf<'sharedAccessSignature'>;

export async function azureSignInOf(
  credentials: AzureCredentials,
  options: { authority: string; agents: NodeAgents; requestTimeoutMs: number },
): Promise<AzureSignIn> {
  if ('sas_token' in credentials) return { sharedAccessSignature: credentials.sas_token };
  if ('account_key' in credentials) return { accountKey: credentials.account_key };
  const { tenant_id: tenantId, client_id: clientId, client_secret: clientSecret } = credentials;
  const { ClientSecretToken } = await import('@kiln/storage/azure');
  return { token: new ClientSecretToken({ ...options, tenantId, clientId, clientSecret }) };
}

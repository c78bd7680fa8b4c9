import type { BucketCredentials } from '@kiln/contracts';

/** The secrets in the credentials: they are removed from everything that a provider answers. */
export function secretsOf(credentials: BucketCredentials): string[] {
  switch (credentials.kind) {
    case 'accessKey':
      return [credentials.secret_access_key, ...(credentials.session_token ? [credentials.session_token] : [])];
    case 'role':
    case 'workloadIdentity':
      // The tokens of Google are added when they are received.
      return [];
    case 'serviceAccount':
      return [credentials.private_key];
    case 'servicePrincipal':
      return [credentials.client_secret];
    case 'accountKey':
      return [credentials.account_key];
    case 'sharedAccessSignature':
      return [credentials.sas_token, new URLSearchParams(credentials.sas_token).get('sig') ?? credentials.sas_token];
  }
}

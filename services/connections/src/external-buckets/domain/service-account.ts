import type { FederatedCredentials } from '@kiln/contracts';

/** The service account that the credentials name, and its project. The schema has checked the URL. */
export function serviceAccountOf({
  service_account_impersonation_url: url,
  project_id,
}: Pick<FederatedCredentials, 'service_account_impersonation_url' | 'project_id'>): {
  email: string;
  project: string | undefined;
} {
  const [, email = ''] = /\/serviceAccounts\/([^/:]+):generateAccessToken$/.exec(url) ?? [];
  const [, project] = /@([^.@]+)\.iam\.gserviceaccount\.com$/.exec(email) ?? [];
  return { email, project: project_id ?? project };
}

// A pool of Google in which the service account of a bucket trusts tokens of Kiln, in place of a key.
import { json, type AccessOptions, type AccessText } from './access-options.js';
import { shellWord } from './shell-word.js';

/** https://cloud.google.com/iam/docs/workload-identity-federation-with-other-providers */
export function identityPool({ identity }: AccessOptions): AccessText[] {
  if (identity === undefined) return [];
  const { issuer, subject, jwks } = identity;
  const account = 'kiln@<project>.iam.gserviceaccount.com';
  const pool = 'projects/<project number>/locations/global/workloadIdentityPools/kiln-pool';
  const grant = `gcloud iam service-accounts add-iam-policy-binding ${shellWord(account)} --project '<project>'`;
  return [
    {
      title: 'Identity pool commands',
      about:
        'Let the service account trust tokens that Kiln signs for your organization, and sign links itself. The credentials are the content of ' +
        'credentials.json, from which Kiln reads the audience and the service account only.',
      text: `gcloud services enable iamcredentials.googleapis.com sts.googleapis.com --project '<project>'
gcloud iam workload-identity-pools create kiln-pool --project '<project>' --location global
cat > jwks.json <<'END'
${json(jwks)}
END
gcloud iam workload-identity-pools providers create-oidc kiln-provider --project '<project>' --location global \\
  --workload-identity-pool kiln-pool --issuer-uri ${shellWord(issuer)} --jwk-json-path jwks.json \\
  --attribute-mapping google.subject=assertion.sub
${grant} \\
  --role roles/iam.workloadIdentityUser \\
  --member ${shellWord(`principal://iam.googleapis.com/${pool}/subject/${subject}`)}
${grant} \\
  --role roles/iam.serviceAccountTokenCreator --member ${shellWord(`serviceAccount:${account}`)}
gcloud iam workload-identity-pools create-cred-config ${shellWord(`${pool}/providers/kiln-provider`)} \\
  --service-account ${shellWord(account)} --credential-source-file unused --output-file credentials.json`,
    },
  ];
}

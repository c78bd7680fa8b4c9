// A bucket of Google whose service account trusts Kiln's tokens, by a pool that its owner set up.
import type { FederatedCredentials } from '@kiln/contracts';
import { createGcsObjectStore } from '@kiln/storage/gcs';
import {
  startGoogleIdentity,
  startGoogleStorage,
  type GoogleIdentity,
  type GoogleStorage,
} from '@kiln/storage/test-support';
import { generateKeyPairSync } from 'node:crypto';
import type { BucketOpenerOptions } from '../external-buckets/bucket-opener.service.js';
import { OidcIssuer } from '../external-buckets/oidc-issuer.service.js';

export const ISSUER_URL = 'https://kiln.example';
const AUDIENCE =
  '//iam.googleapis.com/projects/123456789012/locations/global/workloadIdentityPools/kiln-pool/providers/kiln-provider';

export interface PooledBucket {
  google: GoogleStorage;
  identity: GoogleIdentity;
  issuer: OidcIssuer;
  /** The configuration that gcloud writes. Nothing may read the file and the URLs that it names. */
  configuration: Record<string, unknown>;
  /** The same as it is sealed for an organization. */
  sealedFor: (organizationId: string) => { kind: 'workloadIdentity' } & FederatedCredentials;
  /** For BucketOpener. */
  options: Pick<BucketOpenerOptions, 'issuer' | 'googleSignIn' | 'gcsEndpoint'>;
  close(): Promise<void>;
}

const PEM = { type: 'pkcs8', format: 'pem' } as const;
export const newSigningKey = (type: 'rsa' | 'ec' = 'ec'): string =>
  type === 'rsa'
    ? generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey.export(PEM)
    : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(PEM);

/** `subjects` may use the service account. */
export async function startPooledBucket(bucket: string, subjects: string[]): Promise<PooledBucket> {
  const issuer = new OidcIssuer({ issuer: ISSUER_URL, key: newSigningKey() });
  const google = await startGoogleStorage();
  const { credentialsJson, issued, url: gcsEndpoint } = google;
  const objects = createGcsObjectStore({ endpoint: gcsEndpoint, bucket, credentialsJson });
  await objects.ensureBucket();
  objects.close();
  const identity = await startGoogleIdentity({
    accountJson: credentialsJson,
    issued,
    pool: {
      audience: AUDIENCE,
      issuer: ISSUER_URL,
      jwks: await issuer.keySet(),
      impersonators: subjects,
      maySign: true,
    },
  });
  const { client_email: email } = JSON.parse(credentialsJson) as { client_email: string };
  const given = {
    type: 'external_account' as const,
    audience: AUDIENCE,
    service_account_impersonation_url: `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${email}:generateAccessToken`,
  };
  return {
    google,
    identity,
    issuer,
    configuration: {
      ...given,
      universe_domain: 'googleapis.com',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: 'https://127.0.0.1:1/v1/token',
      credential_source: { url: 'http://127.0.0.1:1/token', file: '/nonexistent/token', format: { type: 'text' } },
    },
    sealedFor: (subject) => ({ kind: 'workloadIdentity', ...given, subject }),
    options: { issuer, gcsEndpoint, googleSignIn: { tokens: identity.url, accounts: identity.url } },
    close: async () => {
      identity.close();
      await google.close();
    },
  };
}

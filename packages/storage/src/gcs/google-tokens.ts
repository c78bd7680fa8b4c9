// Signs in to Google Cloud without a key of the account: a token of another issuer is exchanged for one of Google (RFC 8693), and this for a token
// of a service account. Google's IdentityPoolClient is not used, because its exchange takes neither agents nor a deadline.
// https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token
// https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts
import { REQUEST_TIMEOUT_DEFAULT_MS, withDeadline } from '../deadline.js';
import type { HttpAgents } from '../http-agents.js';
import { StorageError } from '../storage.errors.js';
import { postToGoogle } from './google-post.js';

export interface GoogleToken {
  value: string;
  expiration: Date;
}

/** Base URLs. Default: Google. */
export interface GoogleSignInEndpoints {
  tokens?: string;
  accounts?: string;
}

export interface GoogleSignInOptions {
  endpoints?: GoogleSignInEndpoints;
  agents: HttpAgents;
  /** For the whole call. Default 30,000. */
  requestTimeoutMs?: number;
  signal?: AbortSignal | undefined;
}

export interface WorkloadIdentity {
  /** The full name of the provider in the pool. */
  audience: string;
  /** The address of the service account. */
  account: string;
  /** Returns a JWT for the audience. */
  subjectToken: () => Promise<string>;
}

const TOKENS = 'https://sts.googleapis.com';
const ACCOUNTS = 'https://iamcredentials.googleapis.com';
const ACTION = 'signing in to Google';
/** Signing URLs and receiving messages need it. The roles of the service account limit what the token permits. */
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const LIFE = '3600s';

/** Throws StorageError, without a token in its text. */
export function accountToken(identity: WorkloadIdentity, options: GoogleSignInOptions): Promise<GoogleToken> {
  return withDeadline(deadlineOf(options), async (signal) => {
    const subjectToken = await identity.subjectToken();
    const { tokens = TOKENS } = options.endpoints ?? {};
    const exchanged = await postToGoogle(`${tokens}/v1/token`, {
      agents: options.agents,
      signal,
      action: ACTION,
      contentType: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        audience: identity.audience,
        scope: SCOPE,
        requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        subject_token: subjectToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      }).toString(),
      secrets: [subjectToken],
    });
    const { accessToken, expireTime } = await accountCall(
      identity.account,
      'generateAccessToken',
      { scope: [SCOPE], lifetime: LIFE },
      { ...options, token: textOf(exchanged['access_token']), signal },
    );
    const expiration = new Date(textOf(expireTime));
    if (Number.isNaN(expiration.getTime())) throw notUnderstood();
    return { value: textOf(accessToken), expiration };
  });
}

/** The base64 signature of a key that Google manages for the service account. Throws StorageError. */
export function signBlob(account: string, token: string, bytes: Buffer, options: GoogleSignInOptions): Promise<string> {
  return withDeadline(deadlineOf(options), async (signal) => {
    const payload = { payload: bytes.toString('base64') };
    const { signedBlob } = await accountCall(account, 'signBlob', payload, { ...options, token, signal });
    return textOf(signedBlob);
  });
}

function accountCall(
  account: string,
  method: string,
  body: object,
  { endpoints, agents, signal, token }: GoogleSignInOptions & { token: string; signal: AbortSignal },
): Promise<Record<string, unknown>> {
  const url = `${endpoints?.accounts ?? ACCOUNTS}/v1/projects/-/serviceAccounts/${encodeURIComponent(account)}:${method}`;
  return postToGoogle(url, {
    agents,
    signal,
    action: ACTION,
    contentType: 'application/json',
    body: JSON.stringify(body),
    token,
    secrets: [token],
  });
}

const deadlineOf = ({ requestTimeoutMs: timeoutMs = REQUEST_TIMEOUT_DEFAULT_MS, signal }: GoogleSignInOptions) => ({
  timeoutMs,
  signal,
  action: ACTION,
});

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw notUnderstood();
  return value;
}

const notUnderstood = () => new StorageError('unavailable', `${ACTION}: the response is not one of Google`);

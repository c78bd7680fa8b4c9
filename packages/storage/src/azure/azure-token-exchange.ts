// Gets one token from the directory, by the OAuth 2.0 client credentials grant. Its errors contain the directory's reason, and no secret.
// https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
import type { AccessToken } from '@azure/core-auth';
import { createDefaultHttpClient, createHttpHeaders, createPipelineRequest } from '@azure/core-rest-pipeline';
import { REQUEST_TIMEOUT_DEFAULT_MS } from '../deadline.js';
import { agentFor, type HttpAgents } from '../http-agents.js';
import { StorageError } from '../storage.errors.js';

export interface Directory {
  /** Base URL. Default: Azure's public cloud. */
  authority?: string;
  tenantId: string;
  clientId: string;
  agents?: HttpAgents;
  requestTimeoutMs?: number;
}

/** What proves that the caller is the application: a secret, or a signed assertion with its type. */
export type Proof = { client_secret: string } | { client_assertion_type: string; client_assertion: string };

interface TokenAnswer {
  access_token?: string;
  /** Seconds. */
  expires_in?: number;
  error_description?: string;
}

const AUTHORITY = 'https://login.microsoftonline.com';
export const SIGN_IN_ACTION = 'signing in to the directory';
/** Requests to the store wait for it, so it must be shorter than their deadline. */
const TIMEOUT_MAX_MS = 10_000;

const http = createDefaultHttpClient();

/** Throws StorageError. `advice` says what to check if the directory refuses. */
export async function exchange(
  directory: Directory,
  proof: Proof,
  scopes: string | string[],
  advice?: string,
): Promise<AccessToken> {
  const { authority = AUTHORITY, tenantId, clientId, agents, requestTimeoutMs } = directory;
  const url = `${authority.replace(/\/$/, '')}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`;
  const form = { grant_type: 'client_credentials', client_id: clientId, ...proof, scope: [scopes].flat().join(' ') };
  const request = createPipelineRequest({
    url,
    method: 'POST',
    headers: createHttpHeaders({ 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' }),
    body: new URLSearchParams(form).toString(),
    timeout: Math.min(requestTimeoutMs ?? REQUEST_TIMEOUT_DEFAULT_MS, TIMEOUT_MAX_MS),
    // Only the operator can set an authority with plain http, and the agents restrict where it connects.
    allowInsecureConnection: true,
  });
  // The constructor ignores this option.
  if (agents) request.agent = agentFor(agents, new URL(url));
  const { status, bodyAsText } = await http.sendRequest(request).catch((error: unknown) => {
    throw new StorageError('unavailable', `${SIGN_IN_ACTION}: ${String(error)}`, { cause: error, retryable: true });
  });
  const answer = parse(bodyAsText);
  const { access_token: token, expires_in: seconds } = answer;
  if (status === 200 && typeof token === 'string' && typeof seconds === 'number') {
    return { token, expiresOnTimestamp: Date.now() + seconds * 1_000 };
  }
  throw refusal(status, reasonOf(answer, proof) ?? `status ${status}`, advice);
}

function refusal(status: number, reason: string, advice: string | undefined): StorageError {
  const refused = status === 400 || status === 401 || status === 403;
  const message = `${SIGN_IN_ACTION}: ${reason}`;
  if (!refused) return new StorageError('unavailable', message, { retryable: true });
  return new StorageError('access_denied', advice === undefined ? message : `${message} ${advice}`);
}

/** The first line names the problem. The others are ids of the request. */
function reasonOf({ error_description }: TokenAnswer, proof: Proof): string | undefined {
  if (typeof error_description !== 'string') return undefined;
  const secret = 'client_secret' in proof ? proof.client_secret : proof.client_assertion;
  return error_description.split('\r\n')[0]?.replaceAll(secret, '[redacted]');
}

function parse(body: string | null | undefined): TokenAnswer {
  try {
    return (JSON.parse(body ?? '') as TokenAnswer | null) ?? {};
  } catch {
    return {};
  }
}

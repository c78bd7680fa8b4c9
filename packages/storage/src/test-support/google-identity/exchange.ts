// The exchange of a token of another issuer for one of Google: https://www.rfc-editor.org/rfc/rfc8693
import { randomBytes } from 'node:crypto';
import { ApiError } from '../google-storage/api-error.js';
import { verifiedClaims, type UploadedKeys } from './jwt.js';

export interface IdentityPool {
  /** The full name of its provider. */
  audience: string;
  issuer: string;
  jwks: UploadedKeys;
  /** The attribute condition of the provider. Default: every subject. */
  condition?: (subject: string) => boolean;
  /** The subjects with the role Workload Identity User on the service account. */
  impersonators: string[];
  /** Whether the service account may sign as itself. */
  maySign: boolean;
  /** The life of tokens of the service account. Default: as requested. */
  tokenSeconds?: number;
}

const WANTED = {
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  requested_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
};
/** Google refuses tokens that are valid for longer than a day. */
const LIFE_SECONDS_MAX = 24 * 3_600;

export function exchange(
  pool: IdentityPool,
  exchanged: Map<string, string>,
  contentType: string | undefined,
  form: URLSearchParams,
): object {
  if (contentType !== 'application/x-www-form-urlencoded') throw refused('invalid_request', 'Invalid content type.');
  const wrong = Object.entries(WANTED).find(([name, value]) => form.get(name) !== value);
  if (wrong || !form.get('scope')) throw refused('invalid_request', `Invalid value for "${wrong?.[0] ?? 'scope'}".`);
  if (form.get('audience') !== pool.audience) {
    throw refused(
      'invalid_target',
      'The target service indicated by the "audience" parameters is invalid. This might either be because the pool or provider is disabled or ' +
        "deleted or because it doesn't exist.",
    );
  }
  const jwt = form.get('subject_token') ?? '';
  const claims = verifiedClaims(jwt, pool.jwks);
  if (claims === null) throw refused('invalid_grant', `Error connecting to the given credential's issuer: ${jwt}`);
  const { iss, sub = '', aud, exp = 0, iat = 0 } = claims;
  const now = Date.now() / 1_000;
  if (iss !== pool.issuer) {
    throw refused('invalid_grant', `The issuer in ID Token ${iss} does not match the expected ones: ${pool.issuer}.`);
  }
  if (aud !== pool.audience && aud !== `https:${pool.audience}`) {
    throw refused('invalid_grant', `The audience in ID Token [${aud}] does not match the expected audience.`);
  }
  if (exp < now || iat > now + 60 || exp - iat > LIFE_SECONDS_MAX) throw refused('invalid_grant', 'ID Token is stale.');
  if (pool.condition?.(sub) === false) {
    throw refused('unauthorized_client', 'The given credential is rejected by the attribute condition.');
  }
  const token = `federated.${randomBytes(24).toString('base64url')}`;
  exchanged.set(token, sub);
  const issued_token_type = WANTED.requested_token_type;
  return { access_token: token, issued_token_type, token_type: 'Bearer', expires_in: 3_600 };
}

const refused = (error: string, error_description: string) =>
  new ApiError(400, JSON.stringify({ error, error_description }));

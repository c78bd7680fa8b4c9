// Checks a JSON Web Token (RFC 7519) against the issuer's public keys. The accepted algorithms are fixed here and not
// taken from the token (RFC 8725, 3.1): `alg: none` and shared-secret algorithms are refused.
import { CodedError, unavailable } from '@kiln/contracts';
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  jwtVerify,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
} from 'jose';
import type { KeyObject } from 'node:crypto';
import { fetch as fetchByUndici, ProxyAgent } from 'undici';
import { algorithmOf } from './jwt-public-key.domain.js';

export interface JwtVerifierOptions {
  /** The address at which the issuer publishes its keys, and the HTTP proxy that reaches it, or its one key. */
  keys: { jwksUrl: string; proxyUrl?: string | undefined } | { publicKey: KeyObject };
  issuer: string;
  audience: string;
  /** How long the issuer may take to answer. Default 3,000. */
  fetchTimeoutMs?: number;
}

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
/** An unknown key id causes at most one fetch of the keys in this time. */
export const COOLDOWN_MS = 30_000;
const FETCH_TIMEOUT_MS = 3_000;
/** A key that the issuer has withdrawn is accepted for at most this long. */
const KEYS_AGE_MAX_MS = 600_000;
/** Clocks of issuer and gateway may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 5;

export class JwtVerifier {
  private readonly key: JWTVerifyGetKey;
  private readonly algorithms: string[];

  constructor(private readonly options: JwtVerifierOptions) {
    const { keys } = options;
    if ('publicKey' in keys) {
      this.algorithms = [algorithmOf(keys.publicKey)];
      this.key = async () => keys.publicKey;
    } else {
      this.algorithms = ALGORITHMS;
      this.key = remoteKeys(keys, options);
    }
  }

  /** Returns the claims. Throws UNAUTHORIZED, or UNAVAILABLE when the issuer's keys cannot be fetched. */
  async verify(token: string): Promise<JWTPayload> {
    const { issuer, audience } = this.options;
    try {
      const { payload } = await jwtVerify(token, this.key, {
        algorithms: this.algorithms,
        issuer,
        audience,
        requiredClaims: ['exp'],
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      return payload;
    } catch (error) {
      if (error instanceof CodedError) throw error;
      throw new CodedError('UNAUTHORIZED', refusalOf(error), { cause: error });
    }
  }
}

/** Distinguishes a key that the issuer does not have (401) from an issuer that does not respond (503). */
function remoteKeys(
  { jwksUrl, proxyUrl }: { jwksUrl: string; proxyUrl?: string | undefined },
  { fetchTimeoutMs }: JwtVerifierOptions,
): JWTVerifyGetKey {
  const find = createRemoteJWKSet(new URL(jwksUrl), {
    ...(proxyUrl !== undefined && { [customFetch]: fetchThrough(proxyUrl) }),
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: fetchTimeoutMs ?? FETCH_TIMEOUT_MS,
    cacheMaxAge: KEYS_AGE_MAX_MS,
  });
  return async (header, token) => {
    try {
      return await find(header, token);
    } catch (error) {
      const ofTheToken = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      if (ofTheToken) throw error;
      throw unavailable('The issuer of the bearer token', error);
    }
  };
}

function fetchThrough(proxyUrl: string): FetchImplementation {
  const dispatcher = new ProxyAgent(proxyUrl);
  return async (url, { headers, method, redirect, signal }) => {
    const { status, body } = await fetchByUndici(url, { headers: [...headers], method, redirect, signal, dispatcher });
    return new Response(body, { status });
  };
}

function refusalOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The bearer token has expired. Get a new one from its issuer.';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `The claim ${error.claim} of the bearer token is missing or not accepted here.`;
  }
  return 'The bearer token is not valid. It must be a JWT, signed by the configured issuer with RS256, ES256 or EdDSA.';
}

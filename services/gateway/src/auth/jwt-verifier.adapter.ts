// Checks a JSON Web Token (RFC 7519) against the issuer's public keys. The accepted algorithms are fixed here and not
// taken from the token (RFC 8725, 3.1): `alg: none` and shared-secret algorithms are refused.
import { CodedError, unavailable } from '@kiln/contracts';
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  jwtVerify,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
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
/** An issuer that has failed is not asked again for this long. */
export const FAILURE_PAUSE_MS = 1_000;
/** A key that the issuer has withdrawn is accepted for at most this long. */
const KEYS_AGE_MAX_MS = 600_000;
/** Clocks of issuer and gateway may differ by this much. */
const CLOCK_TOLERANCE_SECONDS = 5;

export class JwtVerifier {
  private readonly key: JWTVerifyGetKey;
  private readonly accepted: JWTVerifyOptions;

  constructor({ keys, issuer, audience, fetchTimeoutMs }: JwtVerifierOptions) {
    this.key = 'publicKey' in keys ? async () => keys.publicKey : remoteKeys(keys, fetchTimeoutMs);
    this.accepted = {
      algorithms: 'publicKey' in keys ? [algorithmOf(keys.publicKey)] : ALGORITHMS,
      issuer,
      audience,
      requiredClaims: ['exp'],
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    };
  }

  /** Returns the claims. Throws UNAUTHORIZED, or UNAVAILABLE when the issuer's keys cannot be fetched. */
  async verify(token: string): Promise<JWTPayload> {
    try {
      return await this.claimsOf(token);
    } catch (error) {
      // No key makes an expired token valid, so a stream of events ends with it although the issuer is away.
      if (error instanceof CodedError && !hasExpired(token)) throw error;
      throw new CodedError('UNAUTHORIZED', refusalOf(error), { cause: error });
    }
  }

  private async claimsOf(token: string): Promise<JWTPayload> {
    try {
      return (await jwtVerify(token, this.key, this.accepted)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
      return this.claimsByAnyOf(error, token);
    }
  }

  /** A token need not name its key (RFC 7515, 4.1.4), and an issuer that changes its key publishes two. */
  private async claimsByAnyOf(keys: errors.JWKSMultipleMatchingKeys, token: string): Promise<JWTPayload> {
    for await (const key of keys) {
      try {
        return (await jwtVerify(token, key, this.accepted)).payload;
      } catch (error) {
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw error;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

/** Distinguishes a key that the issuer does not have (401) from an issuer that does not respond (503). */
function remoteKeys(
  { jwksUrl, proxyUrl }: { jwksUrl: string; proxyUrl?: string | undefined },
  fetchTimeoutMs = FETCH_TIMEOUT_MS,
): JWTVerifyGetKey {
  const find = createRemoteJWKSet(new URL(jwksUrl), {
    [customFetch]: pausedAfterFailure(proxyUrl === undefined ? fetch : fetchThrough(proxyUrl)),
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: fetchTimeoutMs,
    cacheMaxAge: KEYS_AGE_MAX_MS,
  });
  return async (header, token) => {
    try {
      return await find(header, token);
    } catch (error) {
      const isOfToken = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      if (isOfToken) throw error;
      throw unavailable('The issuer of the bearer token', error);
    }
  };
}

/** Without the pause, each request with a token would ask an issuer that fails quickly. */
function pausedAfterFailure(fetchKeys: FetchImplementation): FetchImplementation {
  let failure: { error: unknown; until: number } | null = null;
  return async (url, options) => {
    if (failure && performance.now() < failure.until) throw failure.error;
    try {
      const response = await fetchKeys(url, options);
      if (response.status !== 200) throw new Error(`the issuer answered with the status ${response.status}`);
      return response;
    } catch (error) {
      failure = { error, until: performance.now() + FAILURE_PAUSE_MS };
      throw error;
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

function hasExpired(token: string): boolean {
  try {
    const { exp } = decodeJwt(token);
    return exp !== undefined && exp + CLOCK_TOLERANCE_SECONDS <= Date.now() / 1_000;
  } catch {
    return false;
  }
}

function refusalOf(error: unknown): string {
  if (error instanceof errors.JWTExpired || error instanceof CodedError)
    return 'The bearer token has expired. Get a new one from its issuer.';
  if (error instanceof errors.JWTClaimValidationFailed) {
    return `The claim ${error.claim} of the bearer token is missing or not accepted here.`;
  }
  return 'The bearer token is not valid. It must be a JWT, signed by the configured issuer with RS256, ES256 or EdDSA.';
}

// The authenticator of bearer tokens, as configured.
import type { Database } from '@kiln/platform';
import type { GatewayConfig } from '../config.js';
import { OrganizationStore } from '../organizations/organization.store.js';
import { JwtAuthenticator } from './jwt-authenticator.service.js';
import { publicKeyOf } from './jwt-public-key.domain.js';
import { JwtVerifier } from './jwt-verifier.adapter.js';

/** Null while no issuer is configured. */
export function createJwtAuthenticator(config: GatewayConfig, database: Database): JwtAuthenticator | null {
  const { KILN_JWT_JWKS_URL: jwksUrl, KILN_JWT_PUBLIC_KEY: pem } = config;
  const { KILN_JWT_ISSUER: issuer, KILN_JWT_AUDIENCE: audience, KILN_JWT_JWKS_PROXY: proxyUrl } = config;
  const keys =
    jwksUrl !== undefined ? { jwksUrl, proxyUrl } : pem !== undefined ? { publicKey: publicKeyOf(pem) } : null;
  if (!keys || issuer === undefined || audience === undefined) return null;
  return new JwtAuthenticator(new JwtVerifier({ keys, issuer, audience }), new OrganizationStore(database));
}

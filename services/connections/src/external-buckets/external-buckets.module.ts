import { OutboundPolicy } from '@kiln/outbound';
import { Module } from '@nestjs/common';
import { CONNECTIONS_CONFIG, type ConnectionsConfig } from '../config.js';
import { BucketCallLimiter } from './bucket-call-limiter.service.js';
import { BucketOpener } from './bucket-opener.service.js';
import { OidcIssuer } from './oidc-issuer.service.js';

/** Injection token of an OidcIssuer, or of null when the operator has configured none. */
export const OIDC_ISSUER = Symbol('OpenID Connect issuer');

const issuer = {
  provide: OIDC_ISSUER,
  inject: [CONNECTIONS_CONFIG],
  useFactory: (config: ConnectionsConfig) => {
    const { KILN_CONNECTIONS_OIDC_ISSUER: url, KILN_CONNECTIONS_OIDC_KEY: key } = config;
    return url === undefined || key === undefined ? null : new OidcIssuer({ issuer: url, key });
  },
};
const opener = {
  provide: BucketOpener,
  inject: [CONNECTIONS_CONFIG, OutboundPolicy, OIDC_ISSUER],
  useFactory: (config: ConnectionsConfig, policy: OutboundPolicy, ownIssuer: OidcIssuer | null) =>
    new BucketOpener({
      issuer: ownIssuer,
      googleSignIn: signInEndpointsOf(config),
      policy,
      proxyUrl: config.KILN_OUTBOUND_PROXY,
      gcsEndpoint: config.KILN_CONNECTIONS_GCS_ENDPOINT,
      azureEndpoint: config.KILN_CONNECTIONS_AZURE_ENDPOINT,
      pubSubEndpoint: config.KILN_CONNECTIONS_PUBSUB_ENDPOINT,
      azureQueueEndpoint: config.KILN_CONNECTIONS_AZURE_QUEUE_ENDPOINT,
      azureAuthority: config.KILN_CONNECTIONS_AZURE_AUTHORITY,
    }),
};
const signInEndpointsOf = ({
  KILN_CONNECTIONS_GOOGLE_STS_ENDPOINT: tokens,
  KILN_CONNECTIONS_GOOGLE_IAM_ENDPOINT: accounts,
}: ConnectionsConfig) => ({ ...(tokens && { tokens }), ...(accounts && { accounts }) });
const limiter = {
  provide: BucketCallLimiter,
  inject: [CONNECTIONS_CONFIG],
  useFactory: (config: ConnectionsConfig) => new BucketCallLimiter(config.KILN_CONNECTIONS_TIMEOUT_MS),
};

/** Buckets outside Kiln, opened by place and credentials. */
@Module({ providers: [issuer, opener, limiter], exports: [issuer, opener, limiter] })
export class ExternalBucketsModule {}

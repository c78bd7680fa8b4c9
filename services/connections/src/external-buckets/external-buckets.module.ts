import { OutboundPolicy } from '@kiln/outbound';
import { Module } from '@nestjs/common';
import { CONNECTIONS_CONFIG, type ConnectionsConfig } from '../config.js';
import { BucketCallLimiter } from './bucket-call-limiter.service.js';
import { BucketOpener } from './bucket-opener.service.js';

const opener = {
  provide: BucketOpener,
  inject: [CONNECTIONS_CONFIG, OutboundPolicy],
  useFactory: (config: ConnectionsConfig, policy: OutboundPolicy) =>
    new BucketOpener({
      policy,
      proxyUrl: config.KILN_OUTBOUND_PROXY,
      gcsEndpoint: config.KILN_CONNECTIONS_GCS_ENDPOINT,
      azureEndpoint: config.KILN_CONNECTIONS_AZURE_ENDPOINT,
      pubSubEndpoint: config.KILN_CONNECTIONS_PUBSUB_ENDPOINT,
      azureQueueEndpoint: config.KILN_CONNECTIONS_AZURE_QUEUE_ENDPOINT,
      azureAuthority: config.KILN_CONNECTIONS_AZURE_AUTHORITY,
    }),
};
const limiter = {
  provide: BucketCallLimiter,
  inject: [CONNECTIONS_CONFIG],
  useFactory: (config: ConnectionsConfig) => new BucketCallLimiter(config.KILN_CONNECTIONS_TIMEOUT_MS),
};

/** Buckets outside Kiln, opened by place and credentials. */
@Module({ providers: [opener, limiter], exports: [opener, limiter] })
export class ExternalBucketsModule {}

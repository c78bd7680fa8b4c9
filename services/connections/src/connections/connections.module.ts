import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONNECTIONS_CONFIG, type ConnectionsConfig } from '../config.js';
import { BucketCallLimiter } from '../external-buckets/bucket-call-limiter.service.js';
import { ExternalBucketsModule } from '../external-buckets/external-buckets.module.js';
import { BucketAccess } from './bucket-access.service.js';
import { CheckConnections } from './check-connections.usecase.js';
import { ConnectionBuckets } from './connection-buckets.service.js';
import { ConnectionEntity } from './connection.entity.js';
import { CONNECTIONS_MAX, ConnectionStore } from './connection.store.js';
import { LimitedBucketAccess, SIGNING_ACCESS } from './limited-bucket-access.service.js';
import { ManageConnections } from './manage-connections.usecase.js';
import { SealedCredentials } from './sealed-credentials.service.js';
import { SetupInstructions } from './setup-instructions.usecase.js';

/** Signing needs an answer of the provider only where Kiln assumes a role, and then once in some minutes. */
const SIGNATURES_PER_TENANT = 256;

const connectionsMax = {
  provide: CONNECTIONS_MAX,
  inject: [CONNECTIONS_CONFIG],
  useFactory: (config: ConnectionsConfig) => config.KILN_CONNECTIONS_MAX,
};
const access = {
  provide: BucketAccess,
  inject: [ConnectionStore, ConnectionBuckets, BucketCallLimiter],
  useFactory: (connections: ConnectionStore, buckets: ConnectionBuckets, { requestTimeoutMs }: BucketCallLimiter) =>
    new BucketAccess(connections, buckets, requestTimeoutMs),
};
const signingAccess = {
  provide: SIGNING_ACCESS,
  inject: [BucketAccess, BucketCallLimiter],
  useFactory: (buckets: BucketAccess, { requestTimeoutMs }: BucketCallLimiter) =>
    new LimitedBucketAccess(buckets, new BucketCallLimiter(requestTimeoutMs, SIGNATURES_PER_TENANT)),
};

/** Connections with their sealed credentials, and the buckets that they lead to. */
@Module({
  imports: [TypeOrmModule.forFeature([ConnectionEntity]), ExternalBucketsModule],
  providers: [
    connectionsMax,
    ConnectionStore,
    SealedCredentials,
    ConnectionBuckets,
    access,
    LimitedBucketAccess,
    signingAccess,
    ManageConnections,
    CheckConnections,
    SetupInstructions,
  ],
  exports: [
    ConnectionStore,
    SealedCredentials,
    ConnectionBuckets,
    BucketAccess,
    LimitedBucketAccess,
    SIGNING_ACCESS,
    ManageConnections,
    CheckConnections,
    SetupInstructions,
  ],
})
export class ConnectionsModule {}

// Checks that a bucket can be listed: before a connection is created, before its credentials change, and on request.
import {
  badRequest,
  uuidOf,
  type BucketCredentials,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { OutboundPolicy } from '@kiln/outbound';
import { Injectable } from '@nestjs/common';
import { BucketCallLimiter } from '../external-buckets/bucket-call-limiter.service.js';
import { BucketOpener } from '../external-buckets/bucket-opener.service.js';
import { BucketError, faultOf, type BucketFault } from '../external-buckets/domain/bucket-error.js';
import type { BucketPlace } from '../external-buckets/domain/bucket-place.js';
import type { ExternalBucket } from '../external-buckets/external-bucket.port.js';
import { acceptedCredentials } from './accepted-credentials.domain.js';
import { ConnectionBuckets } from './connection-buckets.service.js';
import { ConnectionStore } from './connection.store.js';
import { connectionView } from './connection.view.js';
import { ManageConnections } from './manage-connections.usecase.js';
import { missingConnection } from './missing-connection.errors.js';

/** Browsing and syncs need to list. */
const listOne = (bucket: ExternalBucket, prefix: string) => bucket.list({ prefix, limit: 1 });

@Injectable()
export class CheckConnections {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly manage: ManageConnections,
    private readonly policy: OutboundPolicy,
    private readonly opener: BucketOpener,
    private readonly buckets: ConnectionBuckets,
    private readonly limiter: BucketCallLimiter,
  ) {}

  async verify(
    input: ConnectionsInput<'verifyConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'verifyConnection'>> {
    const { tenantId } = context;
    const { manage, policy, connections } = this;
    const credentials = await acceptedCredentials(policy, input);
    // A repeated call finds the connection.
    const earlier = await connections.find(tenantId, uuidOf('connection', input.id));
    if (earlier) return { ...connectionView(earlier), verified: true };
    await this.assertListable(
      context,
      { ...input, region: input.region ?? null, prefix: input.prefix ?? '' },
      credentials,
    );
    return { ...connectionView(await manage.store(tenantId, input, credentials, 'active')), verified: true };
  }

  /** Tries new credentials before they replace the old ones. */
  async update(
    input: ConnectionsInput<'updateConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'updateConnection'>> {
    const { tenantId } = context;
    const { manage, policy, connections } = this;
    const row = await connections.find(tenantId, uuidOf('connection', input.id));
    if (!row) throw missingConnection();
    const { credentials: given, org_id } = input;
    const { provider, region } = row;
    const credentials = given
      ? await acceptedCredentials(policy, { provider, region, org_id, credentials: given })
      : null;
    if (credentials) await this.assertListable(context, row, credentials);
    return connectionView(await manage.update(tenantId, input, credentials));
  }

  /** Throws BAD_REQUEST with the provider's reason. */
  private async assertListable(
    context: CallContext,
    place: BucketPlace & { prefix: string },
    credentials: BucketCredentials,
  ): Promise<void> {
    const { opener, limiter } = this;
    const fault = await faultIn(() =>
      limiter.run(context, async () => {
        const bucket = await opener.open(place, credentials, limiter);
        await listOne(bucket, place.prefix).finally(() => bucket.close());
      }),
    );
    if (fault) throw badRequest(fault.message);
  }

  async test(
    { id }: ConnectionsInput<'testConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'testConnection'>> {
    const { tenantId } = context;
    const { connections, buckets, limiter } = this;
    const row = await connections.find(tenantId, uuidOf('connection', id));
    if (!row) throw missingConnection();
    const fault = await faultIn(() =>
      limiter.run(context, () => buckets.use(row, limiter, (bucket) => listOne(bucket, row.prefix))),
    );
    const { status } = (await connections.recordOutcome(row, fault)) ?? row;
    return { success: fault === null, status, error: fault };
  }
}

async function faultIn(work: () => Promise<unknown>): Promise<BucketFault | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof BucketError) return faultOf(error);
    throw error;
  }
}

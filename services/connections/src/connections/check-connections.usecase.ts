// Checks that a bucket can be listed and read: before a connection is created, before its credentials or region change, and on request.
import {
  badRequest,
  uuidOf,
  type BucketCredentials,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { checkBucketIn, workingRegion, type CheckedPlace } from '../external-buckets/bucket-check.service.js';
import { inventoryIn } from '../external-buckets/bucket-inventory.adapter.js';
import { BucketCallLimiter } from '../external-buckets/bucket-call-limiter.service.js';
import { BucketOpener } from '../external-buckets/bucket-opener.service.js';
import { BucketError, faultOf, type BucketFault } from '../external-buckets/domain/bucket-error.js';
import { InputChecks } from './input-checks.service.js';
import { assertInventory } from './accepted-inventory.domain.js';
import { assertSizes, inventoryPlaceOf } from './connection-policies.domain.js';
import { ConnectionBuckets } from './connection-buckets.service.js';
import { ConnectionStore } from './connection.store.js';
import { connectionView } from './connection.view.js';
import { ManageConnections } from './manage-connections.usecase.js';
import { missingConnection } from './missing-connection.errors.js';
import { NotificationStateStore } from './notification-state.store.js';
import { rulesOf } from './object-rules.domain.js';

@Injectable()
export class CheckConnections {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly manage: ManageConnections,
    private readonly checks: InputChecks,
    private readonly opener: BucketOpener,
    private readonly buckets: ConnectionBuckets,
    private readonly limiter: BucketCallLimiter,
    private readonly states: NotificationStateStore,
  ) {}

  async verify(
    input: ConnectionsInput<'verifyConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'verifyConnection'>> {
    const { tenantId } = context;
    const { manage, checks, connections } = this;
    const credentials = await checks.credentials(input);
    // A repeated call finds the connection.
    const earlier = await connections.find(tenantId, uuidOf('connection', input.id));
    if (earlier) return { ...connectionView(earlier), verified: true };
    const place = { ...input, region: input.region ?? null, prefix: input.prefix ?? '' };
    await checks.notifications(input.provider, input.notifications);
    assertInventory(input.provider, input.inventory);
    const region = await this.workingRegion(context, place, () => credentials);
    await this.tryQueue(context, { notifications: input.notifications, region }, () => credentials);
    await this.tryInventory(context, { ...place, region }, input.inventory, () => credentials);
    const row = await manage.store(tenantId, { ...input, region }, credentials, 'active');
    return { ...connectionView(row), verified: true };
  }

  /** Tries new credentials, and a new region, before they replace the old ones. */
  async update(
    input: ConnectionsInput<'updateConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'updateConnection'>> {
    const { tenantId } = context;
    const { manage, checks, connections } = this;
    const row = await connections.find(tenantId, uuidOf('connection', input.id));
    if (!row) throw missingConnection();
    assertSizes({ ...row.rules, ...rulesOf(input) });
    const { credentials: given, org_id } = input;
    const { provider, bucket, prefix } = row;
    const region = input.region === undefined ? row.region : input.region;
    const place = { provider, bucket, prefix, region };
    const credentials = given ? await checks.credentials({ ...place, org_id, credentials: given }) : null;
    const stored = () => credentials ?? this.buckets.credentialsOf(row);
    await checks.notifications(provider, input.notifications);
    assertInventory(provider, input.inventory);
    if (credentials !== null || row.credentials !== null) {
      await this.tryQueue(context, { ...input, region }, stored);
      await this.tryInventory(context, place, input.inventory, stored);
    }
    if (credentials === null && (input.region === undefined || row.credentials === null)) {
      return connectionView(await manage.update(tenantId, input, { credentials: null, isTried: false }));
    }
    const working = await this.workingRegion(context, place, stored);
    const changes = { ...input, region: working };
    return connectionView(await manage.update(tenantId, changes, { credentials, isTried: true }));
  }

  /** The region of `place`, or the one that the provider reports in its place. Throws BAD_REQUEST with the provider's reason. */
  private async workingRegion(
    context: CallContext,
    place: CheckedPlace,
    credentials: () => BucketCredentials,
  ): Promise<string | null> {
    const { opener, limiter } = this;
    return orBadRequest(() => limiter.run(context, async () => workingRegion(opener, place, credentials(), limiter)));
  }

  /** Throws BAD_REQUEST with the reason when there is no inventory that can be read in place of a listing. */
  private async tryInventory(
    context: CallContext,
    place: CheckedPlace,
    given: ConnectionsInput<'updateConnection'>['inventory'],
    credentials: () => BucketCredentials,
  ): Promise<void> {
    if (given == null) return;
    const { opener, limiter } = this;
    const found = await orBadRequest(() =>
      limiter.run(context, () => inventoryIn(opener, place, inventoryPlaceOf(given), credentials(), limiter)),
    );
    if (found !== null) return;
    throw badRequest(
      'inventory: no inventory that is new enough is stored under the prefix. Its folders have names such as 2026-11-27T01-00Z. S3 makes the ' +
        'first one within 48 hours.',
    );
  }

  /** Throws BAD_REQUEST with the reason when no messages can be received. */
  private async tryQueue(
    context: CallContext,
    { notifications, region }: Pick<ConnectionsInput<'updateConnection'>, 'notifications'> & { region: string | null },
    credentials: () => BucketCredentials,
  ): Promise<void> {
    if (notifications == null) return;
    const { opener, limiter } = this;
    await orBadRequest(() =>
      limiter.run(context, async () => {
        const queue = await opener.openQueue({ ...notifications, region }, credentials(), limiter);
        await queue.check().finally(() => queue.close());
      }),
    );
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
      limiter.run(context, () => buckets.use(row, limiter, (bucket) => checkBucketIn(bucket, row))),
    );
    const { status } = (await connections.recordOutcome(row, fault)) ?? row;
    if (fault !== null || row.notification_queue === null) return { success: fault === null, status, error: fault };
    const queueFault = await faultIn(() =>
      limiter.run(context, () => buckets.useQueue(row, limiter, (queue) => queue.check())),
    );
    await this.states.record(row, queueFault);
    return { success: queueFault === null, status, error: queueFault };
  }
}

async function orBadRequest<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof BucketError ? badRequest(error.message) : error;
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

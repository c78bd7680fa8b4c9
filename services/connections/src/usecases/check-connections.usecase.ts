// Whether a bucket can be listed: before a connection is made of it, and again whenever its owner asks.
import {
  badRequest,
  uuidOf,
  type BucketCredentials,
  type CallContext,
  type connectionsOperations,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import type { OutboundPolicy } from '@kiln/outbound';
import type { BucketOpener } from '../adapters/bucket-opener.js';
import type { ConnectionBuckets } from '../adapters/connection-buckets.js';
import { BucketError, faultOf, type BucketFault } from '../domain/bucket-error.js';
import type { BucketPlace } from '../domain/bucket-place.js';
import type { OthersBucket } from '../domain/bucket.port.js';
import { connectionView } from '../store/connection.rows.js';
import type { ConnectionStore } from '../store/connection.store.js';
import { acceptedCredentials } from './accepted-credentials.js';
import type { BucketQuestions } from './ask-bucket.js';
import { missingConnection, type ManageConnections } from './manage-connections.usecase.js';

type Operations = typeof connectionsOperations;
type Input<Name extends keyof Operations> = OperationInput<Operations[Name]>;
type Output<Name extends keyof Operations> = Promise<OperationOutput<Operations[Name]>>;

export interface CheckConnectionsParts {
  connections: ConnectionStore;
  manage: ManageConnections;
  policy: OutboundPolicy;
  opener: BucketOpener;
  buckets: ConnectionBuckets;
  questions: BucketQuestions;
}

/** Listing is what everything else needs first. */
const assertListable = (bucket: OthersBucket, prefix: string) => bucket.list({ prefix, limit: 1 });

export class CheckConnections {
  constructor(private readonly parts: CheckConnectionsParts) {}

  async verify(input: Input<'verifyConnection'>, context: CallContext): Output<'verifyConnection'> {
    const { tenantId } = context;
    const { manage, policy, connections } = this.parts;
    const credentials = await acceptedCredentials(policy, input);
    // A repeat of a call whose answer was lost.
    const made = await connections.find(tenantId, uuidOf('connection', input.id));
    if (made) return { ...connectionView(made), verified: true };
    await this.tryOut(context, { ...input, region: input.region ?? null, prefix: input.prefix ?? '' }, credentials);
    return { ...connectionView(await manage.keep(tenantId, input, credentials, 'active')), verified: true };
  }

  /** Tries new credentials before they replace the old ones. */
  async update(input: Input<'updateConnection'>, context: CallContext): Output<'updateConnection'> {
    const { tenantId } = context;
    const { manage, policy, connections } = this.parts;
    const row = await connections.find(tenantId, uuidOf('connection', input.id));
    if (!row) throw missingConnection();
    const { credentials: given, org_id } = input;
    const credentials = given ? await acceptedCredentials(policy, { ...row, org_id, credentials: given }) : null;
    if (credentials) await this.tryOut(context, row, credentials);
    return connectionView(await manage.change(tenantId, input, credentials));
  }

  /** Throws BAD_REQUEST with the provider's reason. */
  private async tryOut(
    context: CallContext,
    place: BucketPlace & { prefix: string },
    credentials: BucketCredentials,
  ): Promise<void> {
    const { opener, questions } = this.parts;
    const fault = await faultIn(() =>
      questions.ask(context, async () => {
        const bucket = await opener.open(place, credentials, questions);
        await assertListable(bucket, place.prefix).finally(() => bucket.close());
      }),
    );
    if (fault) throw badRequest(fault.message);
  }

  async test({ id }: Input<'testConnection'>, context: CallContext): Output<'testConnection'> {
    const { tenantId } = context;
    const { connections, buckets, questions } = this.parts;
    const row = await connections.find(tenantId, uuidOf('connection', id));
    if (!row) throw missingConnection();
    const fault = await faultIn(() =>
      questions.ask(context, () => buckets.use(row, questions, (bucket) => assertListable(bucket, row.prefix))),
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

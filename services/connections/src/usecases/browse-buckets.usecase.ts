// A look into buckets without keeping anything of it.
import {
  badRequest,
  decodeCursor,
  encodeCursor,
  fittingItems,
  formatTimestamp,
  uuidOf,
  type CallContext,
  type connectionsOperations,
  type OperationInput,
  type OperationOutput,
} from '@kiln/contracts';
import type { OutboundPolicy } from '@kiln/outbound';
import { z } from 'zod';
import type { BucketOpener } from '../adapters/bucket-opener.js';
import type { ConnectionBuckets } from '../adapters/connection-buckets.js';
import { BucketError } from '../domain/bucket-error.js';
import type { BucketObject, BucketPage, ListRequest, OthersBucket } from '../domain/bucket.port.js';
import { hasStorableProperties } from '../domain/listed-nodes.js';
import { narrowedPrefix } from '../domain/key-prefix.js';
import type { ConnectionRow } from '../store/connection.rows.js';
import type { ConnectionStore } from '../store/connection.store.js';
import { acceptedCredentials } from './accepted-credentials.js';
import type { BucketQuestions } from './ask-bucket.js';
import { codedBucketFault } from './bucket-fault.js';
import { missingConnection } from './manage-connections.usecase.js';

type Operations = typeof connectionsOperations;
type Input<Name extends keyof Operations> = OperationInput<Operations[Name]>;
type Output<Name extends keyof Operations> = Promise<OperationOutput<Operations[Name]>>;

export interface BrowseBucketsParts {
  connections: ConnectionStore;
  policy: OutboundPolicy;
  opener: BucketOpener;
  buckets: ConnectionBuckets;
  questions: BucketQuestions;
}

/** Some providers answer with pages that hold nothing; so many of them are passed over at most. */
const EMPTY_PAGES_MAX = 5;
const cursorSchema = z.tuple([z.string()]);

export class BrowseBuckets {
  constructor(private readonly parts: BrowseBucketsParts) {}

  async listBuckets(input: Input<'listBuckets'>, context: CallContext): Output<'listBuckets'> {
    const { policy, opener, questions } = this.parts;
    const credentials = await acceptedCredentials(policy, input);
    const place = { provider: input.provider, region: input.region ?? null };
    try {
      const buckets = await questions.ask(context, () => opener.listBuckets(place, credentials, questions));
      return { buckets: fittingItems(buckets) };
    } catch (error) {
      if (error instanceof BucketError) throw badRequest(error.message);
      throw error;
    }
  }

  async browse(input: Input<'browseConnection'>, context: CallContext): Output<'browseConnection'> {
    const { tenantId } = context;
    const row = await this.parts.connections.find(tenantId, uuidOf('connection', input.id));
    if (!row) throw missingConnection();
    const prefix = narrowedPrefix(row.prefix, input.prefix ?? '');
    const scope = `browse:${tenantId}:${row.id}:${prefix ?? ''}`;
    const [cursor] = input.cursor === undefined ? [undefined] : decodeCursor(scope, input.cursor, cursorSchema);
    if (prefix === null) return { objects: [], next_cursor: null };
    const { objects, next } = await this.page(row, { prefix, cursor, limit: input.limit }, context);
    return { objects: objects.map(objectView), next_cursor: next === null ? null : encodeCursor(scope, [next]) };
  }

  private async page(row: ConnectionRow, request: ListRequest, context: CallContext): Promise<BucketPage> {
    const { buckets, questions } = this.parts;
    const until = context.deadlineAt - questions.requestTimeoutMs;
    try {
      return await questions.ask(context, () =>
        buckets.use(row, questions, (bucket) => fittingPage(bucket, request, until)),
      );
    } catch (error) {
      throw error instanceof BucketError ? codedBucketFault(error, row.bucket) : error;
    }
  }
}

const objectView = ({ key, sizeBytes, etag, lastModified }: BucketObject) => ({
  key,
  size_bytes: sizeBytes,
  etag,
  last_modified: formatTimestamp(lastModified),
});

/** The provider says where the next page begins, so that a page that is too large for a message is asked for again, shorter. */
async function fittingPage(bucket: OthersBucket, request: ListRequest, until: number): Promise<BucketPage> {
  const page = await pageWithObjects(bucket, request, until);
  const fitting = fittingItems(page.objects.map(objectView)).length;
  return fitting === page.objects.length ? page : fittingPage(bucket, { ...request, limit: fitting }, until);
}

async function pageWithObjects(bucket: OthersBucket, request: ListRequest, until: number): Promise<BucketPage> {
  let page = await shownPage(bucket, request);
  for (let passed = 0; page.objects.length === 0 && page.next !== null && passed < EMPTY_PAGES_MAX; passed++) {
    if (Date.now() > until) break;
    page = await shownPage(bucket, { ...request, cursor: page.next });
  }
  return page;
}

/** An object that can't be shown must not hide the others. */
async function shownPage(bucket: OthersBucket, request: ListRequest): Promise<BucketPage> {
  const { objects, next } = await bucket.list(request);
  return { objects: objects.filter(hasStorableProperties), next };
}

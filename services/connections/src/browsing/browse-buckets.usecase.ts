// Lists buckets and objects, and stores nothing.
import {
  badRequest,
  decodeCursor,
  encodeCursor,
  fittingItems,
  formatTimestamp,
  uuidOf,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ConnectionBuckets } from '../connections/connection-buckets.service.js';
import { BucketOpener } from '../external-buckets/bucket-opener.service.js';
import { BucketError } from '../external-buckets/domain/bucket-error.js';
import type {
  BucketObject,
  BucketPage,
  ListRequest,
  ExternalBucket,
} from '../external-buckets/external-bucket.port.js';
import { InputChecks } from '../connections/input-checks.service.js';
import type { ConnectionEntity } from '../connections/connection.entity.js';
import { ConnectionStore } from '../connections/connection.store.js';
import { missingConnection } from '../connections/missing-connection.errors.js';
import { BucketCallLimiter } from '../external-buckets/bucket-call-limiter.service.js';
import { codedBucketError } from '../external-buckets/coded-bucket-error.errors.js';
import { hasStorableProperties } from '../nodes/listed-nodes.domain.js';
import { narrowedPrefix } from './key-prefix.domain.js';

/** Some providers return empty pages before the last one. At most this many are skipped in a request. */
const EMPTY_PAGES_MAX = 5;
const cursorSchema = z.tuple([z.string()]);

@Injectable()
export class BrowseBuckets {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly checks: InputChecks,
    private readonly opener: BucketOpener,
    private readonly buckets: ConnectionBuckets,
    private readonly limiter: BucketCallLimiter,
  ) {}

  async listBuckets(
    input: ConnectionsInput<'listBuckets'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'listBuckets'>> {
    const { checks, opener, limiter } = this;
    const credentials = await checks.credentials(input);
    const place = { provider: input.provider, region: input.region ?? null };
    try {
      const buckets = await limiter.run(context, () => opener.listBuckets(place, credentials, limiter));
      return { buckets: fittingItems(buckets) };
    } catch (error) {
      if (error instanceof BucketError) throw badRequest(error.message);
      throw error;
    }
  }

  async browse(
    input: ConnectionsInput<'browseConnection'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'browseConnection'>> {
    const { tenantId } = context;
    const row = await this.connections.find(tenantId, uuidOf('connection', input.id));
    if (!row) throw missingConnection();
    const prefix = narrowedPrefix(row.prefix, input.prefix ?? '');
    const scope = `browse:${tenantId}:${row.id}:${prefix ?? ''}`;
    const [cursor] = input.cursor === undefined ? [undefined] : decodeCursor(scope, input.cursor, cursorSchema);
    if (prefix === null) return { objects: [], next_cursor: null };
    const { objects, next } = await this.page(row, { prefix, cursor, limit: input.limit }, context);
    return { objects: objects.map(objectView), next_cursor: next === null ? null : encodeCursor(scope, [next]) };
  }

  private async page(row: ConnectionEntity, request: ListRequest, context: CallContext): Promise<BucketPage> {
    const { buckets, limiter } = this;
    const until = context.deadlineAt - limiter.requestTimeoutMs;
    try {
      return await limiter.run(context, () =>
        buckets.use(row, limiter, (bucket) => fittingPage(bucket, request, until)),
      );
    } catch (error) {
      throw error instanceof BucketError ? codedBucketError(error, row.bucket) : error;
    }
  }
}

/** The key of a directory ends in a slash, as that of a folder marker does. */
const objectView = ({ key, sizeBytes, etag, lastModified, isDirectory }: BucketObject) => ({
  key: isDirectory ? `${key}/` : key,
  size_bytes: sizeBytes,
  etag,
  last_modified: formatTimestamp(lastModified),
});

/** The cursor is the provider's, so a page that is too large for a message is requested again with a lower limit. */
async function fittingPage(bucket: ExternalBucket, request: ListRequest, until: number): Promise<BucketPage> {
  const page = await pageWithObjects(bucket, request, until);
  const fitting = fittingItems(page.objects.map(objectView)).length;
  return fitting === page.objects.length ? page : fittingPage(bucket, { ...request, limit: fitting }, until);
}

async function pageWithObjects(bucket: ExternalBucket, request: ListRequest, until: number): Promise<BucketPage> {
  let page = await shownPage(bucket, request);
  for (let passed = 0; page.objects.length === 0 && page.next !== null && passed < EMPTY_PAGES_MAX; passed++) {
    if (Date.now() > until) break;
    page = await shownPage(bucket, { ...request, cursor: page.next });
  }
  return page;
}

/** Leaves out objects that cannot be shown. */
async function shownPage(bucket: ExternalBucket, request: ListRequest): Promise<BucketPage> {
  const page = await bucket.list(request);
  const isShown = (object: BucketObject) => object.key.isWellFormed() && hasStorableProperties(object);
  return { ...page, objects: page.objects.filter(isShown) };
}

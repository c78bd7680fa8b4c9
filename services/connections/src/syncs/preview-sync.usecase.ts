// Reports what a sync would change: lists the bucket and compares it with the nodes, page by page, and writes nothing. When the bucket
// cannot be listed while the caller waits, the result covers the listed part.
import { uuidOf, type CallContext, type ConnectionsInput, type ConnectionsOutput } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import type { OpenBucket } from '../connections/bucket-access.service.js';
import { LimitedBucketAccess } from '../connections/limited-bucket-access.service.js';
import { missingConnection } from '../connections/missing-connection.errors.js';
import { ruleCheck } from '../connections/object-rules.domain.js';
import type { BucketPage } from '../external-buckets/external-bucket.port.js';
import { isStorableFile, type ListedObject } from '../nodes/listed-nodes.domain.js';
import { ListingValidator } from './domain/listing-validator.js';
import { NodeCompareStore } from './node-compare.store.js';

type Preview = ConnectionsOutput<'previewSync'>;

const PAGE_SIZE = 1_000;
/** Time reserved for one more page. Stores rarely need longer for 1,000 objects. */
const PAGE_MS = 3_000;

@Injectable()
export class PreviewSync {
  constructor(
    private readonly access: LimitedBucketAccess,
    private readonly nodes: NodeCompareStore,
  ) {}

  async execute({ connection_id }: ConnectionsInput<'previewSync'>, context: CallContext): Promise<Preview> {
    const connectionId = uuidOf('connection', connection_id);
    const compare = (opened: OpenBucket) => this.compare(opened, context);
    const preview = await this.access.use(context, connectionId, compare);
    if (preview === null) throw missingConnection();
    return preview;
  }

  private async compare({ bucket, connection }: OpenBucket, { deadlineAt }: CallContext): Promise<Preview> {
    const { tenant_id: tenantId, id: connectionId, prefix } = connection;
    const validator = new ListingValidator(connection.listing_order === 'sorted' ? bucket.keyOrders : null);
    const excludedBy = ruleCheck(connection.rules);
    const sum = { new_files: 0, updated_files: 0, queued_files: 0, excluded_files: 0, total_size_bytes: 0 };
    let stored = 0;
    let cursor: string | null = null;
    do {
      const page: BucketPage = await bucket.list({ prefix, cursor: cursor ?? undefined, limit: PAGE_SIZE });
      validator.accept(page);
      cursor = page.next;
      const files = page.objects.filter(isStorableFile);
      const excluded = excludedBy(files);
      const compared = await this.nodes.compare(connection, files, excluded);
      stored += compared.stored;
      sum.new_files += files.length - compared.stored;
      sum.updated_files += compared.changed;
      sum.queued_files += connection.auto_process ? compared.selected : 0;
      sum.excluded_files += excluded.size;
      sum.total_size_bytes += sizeOf(files);
    } while (cursor !== null && Date.now() < deadlineAt - PAGE_MS);
    const complete = cursor === null;
    const deleted_files = complete ? Math.max(0, (await this.nodes.countFiles(tenantId, connectionId)) - stored) : 0;
    return { ...sum, deleted_files, complete };
  }
}

const sizeOf = (objects: readonly ListedObject[]) => objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

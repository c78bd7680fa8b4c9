// What a sync would change: lists the bucket and compares, a page at a time, and writes nothing. A bucket that can't be listed while the
// caller waits is told of as far as it was.
import {
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type syncsOperations,
} from '@kiln/contracts';
import { isStorableFile, type ListedObject } from '../domain/listed-nodes.js';
import { ListingProof } from '../domain/listing-proof.js';
import type { BucketPage } from '../domain/bucket.port.js';
import type { NodeCompareStore } from '../store/node-compare.store.js';
import type { OpenBucket } from './bucket-access.js';
import { missingConnection } from './manage-connections.usecase.js';
import type { WaitingAccess } from './waiting-access.js';

type PreviewOperation = (typeof syncsOperations)['previewSync'];
type Preview = OperationOutput<PreviewOperation>;

const PAGE_SIZE = 1_000;
/** A page of 1,000 takes a store at most so long, mostly. */
const PAGE_MS = 3_000;

export class PreviewSync {
  constructor(
    private readonly access: WaitingAccess,
    private readonly nodes: NodeCompareStore,
  ) {}

  async execute({ connection_id }: OperationInput<PreviewOperation>, context: CallContext): Promise<Preview> {
    const connectionId = uuidOf('connection', connection_id);
    const compare = (opened: OpenBucket) => this.compare(opened, context);
    const preview = await this.access.use(context, connectionId, compare);
    if (preview === null) throw missingConnection();
    return preview;
  }

  private async compare({ bucket, connection }: OpenBucket, { deadlineAt }: CallContext): Promise<Preview> {
    const { tenant_id: tenantId, id: connectionId, prefix } = connection;
    const proof = new ListingProof(bucket.keyOrders);
    const sum = { new_files: 0, updated_files: 0, total_size_bytes: 0 };
    let met = 0;
    let cursor: string | null = null;
    do {
      const page: BucketPage = await bucket.list({ prefix, cursor: cursor ?? undefined, limit: PAGE_SIZE });
      proof.accept(page);
      cursor = page.next;
      const files = page.objects.filter(isStorableFile);
      const compared = await this.nodes.compare(tenantId, connectionId, files);
      met += compared.met;
      sum.new_files += files.length - compared.met;
      sum.updated_files += compared.changed;
      sum.total_size_bytes += sizeOf(files);
    } while (cursor !== null && Date.now() < deadlineAt - PAGE_MS);
    const complete = cursor === null;
    const deleted_files = complete ? Math.max(0, (await this.nodes.countFiles(tenantId, connectionId)) - met) : 0;
    return { ...sum, deleted_files, complete };
  }
}

const sizeOf = (objects: readonly ListedObject[]) => objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

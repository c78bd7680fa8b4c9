// A signed URL to the object of a node, in the bucket where it lies.
import {
  conflict,
  notFound,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type nodesOperations,
} from '@kiln/contracts';
import type { NodeStore } from '../store/node.store.js';
import type { OpenBucket } from './bucket-access.js';
import type { WaitingAccess } from './waiting-access.js';

type DownloadOperation = (typeof nodesOperations)['downloadNode'];

/** What the specification says of these URLs. */
export const NODE_URL_SECONDS = 3_600;

export class DownloadNode {
  constructor(
    private readonly nodes: NodeStore,
    private readonly access: WaitingAccess,
  ) {}

  async execute(
    { id }: OperationInput<DownloadOperation>,
    context: CallContext,
  ): Promise<OperationOutput<DownloadOperation>> {
    const node = await this.nodes.find(context.tenantId, uuidOf('node', id));
    if (!node) throw notFound('No node has this id.');
    if (!node.is_file) throw conflict('A folder has no bytes. Download the files in it.');
    const sign = ({ bucket }: OpenBucket) =>
      bucket.signedGet(node.path, { seconds: NODE_URL_SECONDS, filename: node.name });
    const url = await this.access.use(context, node.connection_id, sign);
    if (url === null) throw notFound('No node has this id.');
    return { url, expires_in: NODE_URL_SECONDS };
  }
}

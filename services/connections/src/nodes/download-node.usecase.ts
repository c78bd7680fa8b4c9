// Signs a URL to the object of a node in its bucket.
import {
  conflict,
  notFound,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type nodesOperations,
} from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { OpenBucket } from '../connections/bucket-access.service.js';
import { SIGNING_ACCESS, type LimitedBucketAccess } from '../connections/limited-bucket-access.service.js';
import { SIGNED_URL_SECONDS } from '../external-buckets/domain/signed-url-life.js';
import { NodeStore } from './node.store.js';

type DownloadOperation = (typeof nodesOperations)['downloadNode'];

@Injectable()
export class DownloadNode {
  constructor(
    private readonly nodes: NodeStore,
    @Inject(SIGNING_ACCESS) private readonly access: LimitedBucketAccess,
  ) {}

  async execute(
    { id }: OperationInput<DownloadOperation>,
    context: CallContext,
  ): Promise<OperationOutput<DownloadOperation>> {
    const node = await this.nodes.find(context.tenantId, uuidOf('node', id));
    if (!node) throw notFound('No node has this id.');
    if (!node.is_file) throw conflict('A folder has no content. Download the files in it.');
    const sign = ({ bucket }: OpenBucket) =>
      bucket.signedGet(node.path, { seconds: SIGNED_URL_SECONDS, filename: node.name });
    const url = await this.access.use(context, node.connection_id, sign);
    if (url === null) throw notFound('No node has this id.');
    return { url, expires_in: SIGNED_URL_SECONDS };
  }
}

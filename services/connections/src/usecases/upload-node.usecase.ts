// Uploads into a connected bucket: the caller sends the bytes there by a signed URL, and tells when they are there.
import {
  badRequest,
  conflict,
  encodeId,
  notFound,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type nodeUploadsOperations,
} from '@kiln/contracts';
import type { OthersBucket } from '../domain/bucket.port.js';
import { fileNode, folderNode, foldersOf, rootOf } from '../domain/listed-nodes.js';
import { fileNodeView } from '../store/node.rows.js';
import type { NodeStore } from '../store/node.store.js';
import type { NodeUpload, NodeUploadStore } from '../store/node-upload.store.js';
import type { OpenBucket } from './bucket-access.js';
import { NODE_URL_SECONDS } from './download-node.usecase.js';
import { missingConnection } from './manage-connections.usecase.js';
import type { WaitingAccess } from './waiting-access.js';

type Ops = typeof nodeUploadsOperations;
type Init = OperationInput<Ops['initNodeUpload']>;

export class UploadNode {
  constructor(
    private readonly nodes: NodeStore,
    private readonly uploads: NodeUploadStore,
    /** For signing, which asks the provider at most who Kiln is. */
    private readonly signing: WaitingAccess,
    private readonly access: WaitingAccess,
  ) {}

  async init(input: Init, context: CallContext): Promise<OperationOutput<Ops['initNodeUpload']>> {
    const connectionId = uuidOf('connection', input.connection_id);
    const signed = await this.signing.use(context, connectionId, (opened) => signUpload(opened, input));
    if (signed === null) throw missingConnection();
    const upload: NodeUpload = {
      tenant_id: context.tenantId,
      id: uuidOf('node', input.node_id),
      connection_id: connectionId,
      path: input.path,
      content_type: input.content_type ?? null,
    };
    const id = await this.uploads.announce(upload, NODE_URL_SECONDS);
    if (id === null) throw missingConnection();
    return {
      node_id: encodeId('node', id),
      upload_url: signed.url,
      upload_method: 'PUT',
      upload_headers: signed.headers,
      expires_in: NODE_URL_SECONDS,
    };
  }

  async commit(
    { node_id }: OperationInput<Ops['commitNodeUpload']>,
    context: CallContext,
  ): Promise<OperationOutput<Ops['commitNodeUpload']>> {
    const upload = await this.uploadOf(context.tenantId, uuidOf('node', node_id));
    const look = ({ bucket, connection }: OpenBucket) => objectAt(bucket, upload.path, rootOf(connection.prefix));
    const found = await this.access.use(context, upload.connection_id, look);
    const row = found && (await this.uploads.commit(upload, found.folders, found.node));
    if (row === null) throw notFound('No upload has this node_id.');
    return fileNodeView(row);
  }

  private async uploadOf(tenantId: string, id: string): Promise<NodeUpload> {
    const upload = await this.uploads.find(tenantId, id);
    if (upload) return upload;
    throw (await this.nodes.find(tenantId, id))
      ? conflict('No upload of this node is under way. Begin with POST /v1/nodes/upload/init.')
      : notFound('No upload has this node_id.');
  }
}

function signUpload({ bucket, connection: { prefix } }: OpenBucket, { path, content_type, size_bytes }: Init) {
  if (!path.startsWith(prefix)) throw badRequest(`path: must start with ${prefix}, as the connection's objects do.`);
  return bucket.signedPut(path, {
    seconds: NODE_URL_SECONDS,
    ...(content_type !== undefined && { contentType: content_type }),
    ...(size_bytes !== undefined && { sizeBytes: size_bytes }),
  });
}

async function objectAt(bucket: OthersBucket, path: string, root: string) {
  const object = await bucket.head(path);
  if (object === null) throw conflict('The bytes have not arrived in the bucket. Send them to the upload_url first.');
  return { node: fileNode(object, root), folders: foldersOf(path, root).map((folder) => folderNode(folder, root)) };
}

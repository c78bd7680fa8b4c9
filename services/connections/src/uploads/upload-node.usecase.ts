// Uploads into a connected bucket: the caller sends the bytes to a signed URL, and then commits the upload.
import {
  badRequest,
  conflict,
  encodeId,
  notFound,
  uuidOf,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { OpenBucket } from '../connections/bucket-access.service.js';
import { LimitedBucketAccess, SIGNING_ACCESS } from '../connections/limited-bucket-access.service.js';
import { missingConnection } from '../connections/missing-connection.errors.js';
import type { ExternalBucket } from '../external-buckets/external-bucket.port.js';
import { SIGNED_URL_SECONDS } from '../external-buckets/domain/signed-url-life.js';
import { fileNode, folderNode, foldersOf, rootOf } from '../nodes/listed-nodes.domain.js';
import { NodeStore } from '../nodes/node.store.js';
import { fileNodeView } from '../nodes/node.view.js';
import { NodeUploadStore, type NodeUpload } from './node-upload.store.js';

type Init = ConnectionsInput<'initNodeUpload'>;

@Injectable()
export class UploadNode {
  constructor(
    private readonly nodes: NodeStore,
    private readonly uploads: NodeUploadStore,
    @Inject(SIGNING_ACCESS) private readonly signing: LimitedBucketAccess,
    private readonly access: LimitedBucketAccess,
  ) {}

  async init(input: Init, context: CallContext): Promise<ConnectionsOutput<'initNodeUpload'>> {
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
    const id = await this.uploads.begin(upload, signed.expiresInSeconds);
    if (id === null) throw missingConnection();
    return {
      node_id: encodeId('node', id),
      upload_url: signed.url,
      upload_method: 'PUT',
      upload_headers: signed.headers,
      expires_in: signed.expiresInSeconds,
    };
  }

  async commit(
    { node_id }: ConnectionsInput<'commitNodeUpload'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'commitNodeUpload'>> {
    const upload = await this.uploadOf(context.tenantId, uuidOf('node', node_id));
    const look = async ({ bucket, connection }: OpenBucket) => {
      const object = await objectAt(bucket, upload.path, rootOf(connection.prefix));
      return object && { ...object, space: connection.space };
    };
    const found = await this.access.use(context, upload.connection_id, look);
    const row = found && (await this.uploads.commit(upload, found.folders, found.node));
    if (!found || row === null) throw notFound('No upload has this node_id.');
    return fileNodeView(row, found.space);
  }

  private async uploadOf(tenantId: string, id: string): Promise<NodeUpload> {
    const upload = await this.uploads.find(tenantId, id);
    if (upload) return upload;
    throw (await this.nodes.find(tenantId, id))
      ? conflict('No upload of this node has begun. Begin with POST /v1/nodes/upload/init.')
      : notFound('No upload has this node_id.');
  }
}

function signUpload({ bucket, connection: { prefix } }: OpenBucket, { path, content_type, size_bytes }: Init) {
  if (!path.startsWith(prefix)) throw badRequest(`path must start with ${prefix}, as the connection's objects do.`);
  return bucket.signedPut(path, {
    seconds: SIGNED_URL_SECONDS,
    ...(content_type !== undefined && { contentType: content_type }),
    ...(size_bytes !== undefined && { sizeBytes: size_bytes }),
  });
}

async function objectAt(bucket: ExternalBucket, path: string, root: string) {
  const object = await bucket.head(path);
  if (object === null) throw conflict('The bytes have not arrived in the bucket. Send them to the upload_url first.');
  return { node: fileNode(object, root), folders: foldersOf(path, root).map((folder) => folderNode(folder, root)) };
}

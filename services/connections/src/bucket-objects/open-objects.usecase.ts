// Objects of connected buckets for the files service: file nodes, ETags, content types and signed URLs.
import {
  CodedError,
  fittingItems,
  uuidOf,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { SNIFFED_BYTES, sniffContentType } from '@kiln/file-types/sniff-content-type';
import { Inject, Injectable } from '@nestjs/common';
import type { Readable } from 'node:stream';
import type { OpenBucket } from '../connections/bucket-access.service.js';
import { ConnectionStore } from '../connections/connection.store.js';
import { SIGNING_ACCESS, type LimitedBucketAccess } from '../connections/limited-bucket-access.service.js';
import { missingConnection } from '../connections/missing-connection.errors.js';
import { BucketError, faultOf } from '../external-buckets/domain/bucket-error.js';
import { versionHeaderOf } from '../external-buckets/domain/object-version.js';
import { SIGNED_URL_SECONDS } from '../external-buckets/domain/signed-url-life.js';
import { NodeStore } from '../nodes/node.store.js';
import { fileNodeView } from '../nodes/node.view.js';

type Stats = ConnectionsOutput<'statObjects'>['objects'];

/** Injection token of the access for the files service, which has a limit of its own. */
export const FILES_ACCESS = Symbol('files access');

const HEADS_AT_A_TIME = 16;

@Injectable()
export class OpenObjects {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly nodes: NodeStore,
    @Inject(FILES_ACCESS) private readonly access: LimitedBucketAccess,
    @Inject(SIGNING_ACCESS) private readonly signing: LimitedBucketAccess,
  ) {}

  async listFileNodes(
    input: ConnectionsInput<'listFileNodes'>,
    { tenantId }: CallContext,
  ): Promise<ConnectionsOutput<'listFileNodes'>> {
    const connectionId = uuidOf('connection', input.connection_id);
    const connection = await this.connections.find(tenantId, connectionId);
    if (!connection) throw missingConnection();
    const after = input.after === null ? null : uuidOf('node', input.after);
    const rows = await this.nodes.filesAfter(tenantId, connectionId, after, input.limit);
    const nodes = fittingItems(rows.map((row) => fileNodeView(row, connection.space)));
    return { nodes, is_last: nodes.length === rows.length && rows.length < input.limit };
  }

  /** The files service drops the nodes that it does not get here, so these count as not selected. */
  async getSelectedNodes(
    { connection_id, node_ids }: ConnectionsInput<'getSelectedNodes'>,
    { tenantId }: CallContext,
  ): Promise<ConnectionsOutput<'getSelectedNodes'>> {
    const connectionId = uuidOf('connection', connection_id);
    const connection = await this.connections.find(tenantId, connectionId);
    if (!connection) throw missingConnection();
    const { auto_process, space, on_change, pages_limit } = connection;
    const ids = node_ids.map((id) => uuidOf('node', id));
    const rows = auto_process ? await this.nodes.selected(tenantId, connectionId, ids) : [];
    const found = new Set(rows.map(({ id }) => id));
    const dropped = ids.filter((id) => !found.has(id));
    await this.nodes.forgetSelection(tenantId, connectionId, dropped);
    const views = rows.map((row) => fileNodeView(row, space));
    const nodes = fittingItems(views);
    const rest = views.slice(nodes.length).map(({ node_id }) => node_id);
    return { nodes, rest, on_change, pages_limit };
  }

  stat(
    { connection_id, paths }: ConnectionsInput<'statObjects'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'statObjects'>> {
    return using(this.access, connection_id, context, async ({ bucket }) => {
      const objects: Stats = paths.map(() => null);
      const left = [...paths.entries()];
      const headNext = async () => {
        for (let next = left.pop(); next !== undefined; next = left.pop()) {
          const [index, path] = next;
          const head = await headOf(bucket, path);
          if (head !== null) objects[index] = { etag: head.etag, size_bytes: head.sizeBytes };
        }
      };
      await Promise.all(Array.from({ length: HEADS_AT_A_TIME }, headNext)).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
      return { objects };
    });
  }

  /** A failure that only the owner of the bucket can end is a part of the result, because it ends the job of the file. */
  async open(input: ConnectionsInput<'openObject'>, context: CallContext): Promise<ConnectionsOutput<'openObject'>> {
    try {
      return await this.read(input, context);
    } catch (error) {
      const cause: unknown = error instanceof CodedError ? error.cause : null;
      if (!(cause instanceof BucketError) || cause.retryable) throw error;
      return { object: null, fault: faultOf(cause) };
    }
  }

  private read(input: ConnectionsInput<'openObject'>, context: CallContext): Promise<ConnectionsOutput<'openObject'>> {
    return using(this.access, input.connection_id, context, async ({ bucket, connection }) => {
      const read = await bucket.read(input.path, AbortSignal.timeout(Math.max(1, context.deadlineAt - Date.now())));
      if (read === null) return { object: null };
      const head = await beginningOf(read.body);
      const { filename, claimed_type: claimed } = input;
      const { etag, sizeBytes } = read.object;
      const { url, holdsCredentials } = await bucket.ownUrl(input.path);
      return {
        object: {
          url,
          url_holds_credentials: holdsCredentials,
          bucket: connection.bucket,
          etag,
          etag_header: versionHeaderOf(connection.provider, read.object),
          size_bytes: sizeBytes,
          content_type: await sniffContentType({ head, filename, claimed }),
        },
      };
    });
  }

  sign(
    { connection_id, path, filename }: ConnectionsInput<'signObject'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'signObject'>> {
    return using(this.signing, connection_id, context, async ({ bucket }) => {
      const { url, expiresInSeconds } = await bucket.signedGet(path, { seconds: SIGNED_URL_SECONDS, filename });
      return { url, expires_in: expiresInSeconds };
    });
  }
}

async function using<Result>(
  access: LimitedBucketAccess,
  connectionId: string,
  context: CallContext,
  work: (opened: OpenBucket) => Promise<Result>,
): Promise<Result> {
  const result = await access.use(context, uuidOf('connection', connectionId), work);
  if (result === null) throw missingConnection();
  return result;
}

/** Null also for an object that the provider refuses: the others may be readable. */
async function headOf(bucket: OpenBucket['bucket'], path: string) {
  try {
    return await bucket.head(path);
  } catch (error) {
    if (error instanceof BucketError && !error.retryable) return null;
    throw error;
  }
}

/** Reads the bytes that determine the content type. */
async function beginningOf(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= SNIFFED_BYTES) break;
    }
  } catch (error) {
    throw new BucketError('unreachable', 'The provider closed the connection in the middle of the object.', {
      cause: error,
      retryable: true,
    });
  } finally {
    body.destroy();
  }
  return Buffer.concat(chunks).subarray(0, SNIFFED_BYTES);
}

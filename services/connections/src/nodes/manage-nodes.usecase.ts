// Nodes as their owner reads, downloads and deletes them. The bucket is not changed, so the next sync adds a deleted node again.
import {
  badRequest,
  conflict,
  decodeCursor,
  notFound,
  ROOT_PARENT,
  pageOf,
  unavailable,
  uuidOf,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ConnectionStore } from '../connections/connection.store.js';
import type { OpenBucket } from '../connections/bucket-access.service.js';
import { SIGNING_ACCESS, type LimitedBucketAccess } from '../connections/limited-bucket-access.service.js';
import { missingConnection } from '../connections/missing-connection.errors.js';
import { SIGNED_URL_SECONDS } from '../external-buckets/domain/signed-url-life.js';
import type { NodeRow } from './node.rows.js';
import { NodeStore, type NodeQuery } from './node.store.js';
import { childView, nodeView } from './node.view.js';

const keyset = z.tuple([z.union([z.literal(0), z.literal(1)]), z.uuid()]);
const DELETED_AT_ONCE = 5_000;
/** Time reserved for one more batch of deletions. */
const BATCH_MS = 2_000;
const missingNode = () => notFound('No node has this id.');
const isFileOf = (type: 'file' | 'folder' | undefined) => (type === undefined ? undefined : type === 'file');

@Injectable()
export class ManageNodes {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly nodes: NodeStore,
    @Inject(SIGNING_ACCESS) private readonly signing: LimitedBucketAccess,
  ) {}

  async list(input: ConnectionsInput<'listNodes'>, { tenantId }: CallContext): Promise<ConnectionsOutput<'listNodes'>> {
    const connectionId = input.connection_id === undefined ? undefined : uuidOf('connection', input.connection_id);
    if (connectionId !== undefined && !(await this.connections.find(tenantId, connectionId))) {
      throw missingConnection();
    }
    const parentId = await this.parentOf(input, tenantId, connectionId);
    const { items: nodes, next_cursor } = await this.page(input, { tenantId, connectionId, parentId }, nodeView);
    return { nodes, next_cursor };
  }

  async get({ id }: ConnectionsInput<'getNode'>, { tenantId }: CallContext): Promise<ConnectionsOutput<'getNode'>> {
    return nodeView(await this.found(tenantId, uuidOf('node', id)));
  }

  async children(
    input: ConnectionsInput<'listChildren'>,
    { tenantId }: CallContext,
  ): Promise<ConnectionsOutput<'listChildren'>> {
    const { id: parentId } = await this.found(tenantId, uuidOf('node', input.id));
    const { items: nodes, next_cursor } = await this.page(input, { tenantId, parentId }, childView);
    return { nodes, next_cursor };
  }

  /** Signs a URL to the object in its bucket. */
  async download(
    { id }: ConnectionsInput<'downloadNode'>,
    context: CallContext,
  ): Promise<ConnectionsOutput<'downloadNode'>> {
    const node = await this.found(context.tenantId, uuidOf('node', id));
    if (!node.is_file) throw conflict('A folder has no content. Download the files in it.');
    if (node.archived_in !== null) {
      throw conflict(
        `The object is archived (${node.archived_in}). Restore it in the bucket and sync, then download it.`,
      );
    }
    const sign = ({ bucket }: OpenBucket) =>
      bucket.signedGet(node.path, { seconds: SIGNED_URL_SECONDS, filename: node.name });
    const signed = await this.signing.use(context, node.connection_id, sign);
    if (signed === null) throw missingNode();
    return { url: signed.url, expires_in: signed.expiresInSeconds };
  }

  /** A folder is deleted with its contents, itself last, so that a request that ran out of time can be repeated. */
  async remove(
    { id }: ConnectionsInput<'deleteNode'>,
    { tenantId, deadlineAt }: CallContext,
  ): Promise<ConnectionsOutput<'deleteNode'>> {
    const node = await this.found(tenantId, uuidOf('node', id));
    if (!node.is_file) {
      while ((await this.nodes.removeWithin(node, DELETED_AT_ONCE)) === DELETED_AT_ONCE) {
        if (Date.now() > deadlineAt - BATCH_MS) throw unavailable('Deleting so large a folder in one request');
      }
    }
    await this.nodes.remove(tenantId, node.id);
    return { deleted: true };
  }

  private async parentOf(
    { parent_id: parent }: ConnectionsInput<'listNodes'>,
    tenantId: string,
    connectionId: string | undefined,
  ): Promise<string | undefined> {
    if (parent === undefined) return undefined;
    if (parent !== ROOT_PARENT) return (await this.found(tenantId, uuidOf('node', parent))).id;
    if (connectionId === undefined) throw badRequest(`parent_id ${ROOT_PARENT} requires connection_id.`);
    return connectionId;
  }

  private async page<View>(
    { type, limit, cursor }: Pick<ConnectionsInput<'listNodes'>, 'type' | 'limit' | 'cursor'>,
    { tenantId, connectionId, parentId }: Pick<NodeQuery, 'tenantId' | 'connectionId' | 'parentId'>,
    view: (row: NodeRow) => View,
  ): Promise<{ items: View[]; next_cursor: string | null }> {
    const scope = `nodes:${tenantId}:${connectionId ?? ''}:${parentId ?? ''}`;
    const [isFile, id] = cursor === undefined ? [] : decodeCursor(scope, cursor, keyset);
    const after = id === undefined ? undefined : { isFile: isFile === 1, id };
    const query = { tenantId, connectionId, parentId, isFile: isFileOf(type), after, limit: limit + 1 };
    const rows = await this.nodes.list(query);
    return pageOf(rows, { limit, scope, view, keyset: (row) => [row.is_file ? 1 : 0, row.id] });
  }

  private async found(tenantId: string, id: string): Promise<NodeRow> {
    const node = await this.nodes.find(tenantId, id);
    if (!node) throw missingNode();
    return node;
  }
}

// Reads one node, or a page of nodes.
import {
  badRequest,
  decodeCursor,
  notFound,
  ROOT_PARENT,
  pageOf,
  uuidOf,
  type CallContext,
  type ConnectionsInput,
  type ConnectionsOutput,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { ConnectionStore } from '../connections/connection.store.js';
import { missingConnection } from '../connections/missing-connection.errors.js';
import type { NodeRow } from './node.rows.js';
import { NodeStore, type NodeQuery } from './node.store.js';
import { childView, nodeView } from './node.view.js';

const keyset = z.tuple([z.union([z.literal(0), z.literal(1)]), z.uuid()]);
const isFileOf = (type: 'file' | 'folder' | undefined) => (type === undefined ? undefined : type === 'file');

@Injectable()
export class ReadNodes {
  constructor(
    private readonly connections: ConnectionStore,
    private readonly nodes: NodeStore,
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
    if (!node) throw notFound('No node has this id.');
    return node;
  }
}

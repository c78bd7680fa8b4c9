import { z } from 'zod';
import { event } from '../core/event.js';
import { idSchema } from '../core/ids.js';
import { FILE_NODES_PER_CALL_MAX } from './bucket-objects.js';
import { webhookEventData } from '../webhooks/event-types.js';

const connectionFactSchema = z.object({ connection_id: idSchema('connection') });

/** The maximum number of nodes of one event. */
export const REMOVED_NODES_MAX = 250;
/** With the longest keys, an event is smaller than a message may be. */
export const MOVED_NODES_MAX = 100;

export const connectionsEvents = {
  connectionCreated: event({ type: 'connection.created', owner: 'connections', data: connectionFactSchema }),
  connectionDeleted: event({ type: 'connection.deleted', owner: 'connections', data: connectionFactSchema }),
  /** A sync has listed the whole bucket. The nodes match it. */
  connectionSynced: event({
    type: 'connection.synced',
    owner: 'connections',
    data: webhookEventData['connection.synced'],
  }),
  /** A sync or a notification has removed nodes whose objects are gone, and the connection has its files deleted. */
  nodesRemoved: event({
    type: 'nodes.removed',
    owner: 'connections',
    data: connectionFactSchema.extend({ node_ids: z.array(idSchema('node')).min(1).max(REMOVED_NODES_MAX) }),
  }),
  /** A sync or a notification has found objects under other keys. Their nodes are kept. `moved_at` orders the events of a node. */
  nodesMoved: event({
    type: 'nodes.moved',
    owner: 'connections',
    data: connectionFactSchema.extend({
      moved_at: z.iso.datetime(),
      nodes: z
        .array(z.object({ node_id: idSchema('node'), path: z.string(), name: z.string() }))
        .min(1)
        .max(MOVED_NODES_MAX),
    }),
  }),
  /** A sync or a notification has found nodes that the rules of the connection select, and that are new or have changed. */
  nodesSelected: event({
    type: 'nodes.selected',
    owner: 'connections',
    data: connectionFactSchema.extend({ node_ids: z.array(idSchema('node')).min(1).max(FILE_NODES_PER_CALL_MAX) }),
  }),
  /** A sync failed. The nodes it committed are kept. */
  connectionSyncFailed: event({
    type: 'connection.sync.failed',
    owner: 'connections',
    data: webhookEventData['connection.sync.failed'],
  }),
};

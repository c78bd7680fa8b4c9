import { z } from 'zod';
import { event } from '../core/event.js';
import { idSchema } from '../core/ids.js';
import { webhookEventData } from '../webhooks/event-types.js';

const connectionFactSchema = z.object({ connection_id: idSchema('connection') });

export const connectionsEvents = {
  connectionCreated: event({ type: 'connection.created', owner: 'connections', data: connectionFactSchema }),
  connectionDeleted: event({ type: 'connection.deleted', owner: 'connections', data: connectionFactSchema }),
  /** A sync has listed the whole bucket. The nodes match it. */
  connectionSynced: event({
    type: 'connection.synced',
    owner: 'connections',
    data: webhookEventData['connection.synced'],
  }),
  /** A sync failed. The nodes it committed are kept. */
  connectionSyncFailed: event({
    type: 'connection.sync.failed',
    owner: 'connections',
    data: webhookEventData['connection.sync.failed'],
  }),
};

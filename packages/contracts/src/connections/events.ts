import { event } from '../core/event.js';
import { webhookEventData } from '../webhooks/event-types.js';

export const connectionsEvents = {
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

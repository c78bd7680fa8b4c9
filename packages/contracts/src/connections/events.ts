import { event } from '../core/event.js';
import { webhookEventData } from '../webhooks/event-types.js';

export const connectionsEvents = {
  /** A sync has listed the whole bucket, and the nodes are what it found. */
  connectionSynced: event({
    type: 'connection.synced',
    owner: 'connections',
    data: webhookEventData['connection.synced'],
  }),
  /** A sync was given up; the nodes it has committed stay. */
  connectionSyncFailed: event({
    type: 'connection.sync.failed',
    owner: 'connections',
    data: webhookEventData['connection.sync.failed'],
  }),
};

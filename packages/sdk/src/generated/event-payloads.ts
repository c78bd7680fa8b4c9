// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Schemas } from '../core/operation-types.js';

/** The body of each type of event. */
export interface EventsByType {
  'file.created': Schemas['FileCreatedEvent'];
  'file.deleted': Schemas['FileDeletedEvent'];
  'file.processing.completed': Schemas['FileProcessingCompletedEvent'];
  'file.processing.failed': Schemas['FileProcessingFailedEvent'];
  'variant.ready': Schemas['VariantReadyEvent'];
  'job.failed': Schemas['JobFailedEvent'];
  'connection.synced': Schemas['ConnectionSyncedEvent'];
  'connection.sync.failed': Schemas['ConnectionSyncFailedEvent'];
  'webhook.disabled': Schemas['WebhookDisabledEvent'];
  'webhook.test': Schemas['WebhookTestEvent'];
}

export type EventType = keyof EventsByType;

/** An event of any type. Later versions of Kiln send more types: ignore what you do not know. */
export type KilnEvent = EventsByType[EventType];

import { DeliveryAttemptEntity } from './deliveries/delivery-attempt.entity.js';
import { QueuedDeliveryEntity } from './deliveries/queued-delivery.entity.js';
import { FinishedDeliveryEntity } from './deliveries/finished-delivery.entity.js';
import { WaitingWebhookEntity } from './deliveries/waiting-webhook.entity.js';
import { WebhookEventEntity } from './events/webhook-event.entity.js';
import { ReplayEntity } from './replays/replay.entity.js';
import { WebhookEntity } from './webhooks/webhook.entity.js';

export const entities = [
  WebhookEntity,
  WebhookEventEntity,
  QueuedDeliveryEntity,
  FinishedDeliveryEntity,
  DeliveryAttemptEntity,
  WaitingWebhookEntity,
  ReplayEntity,
];

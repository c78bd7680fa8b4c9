// Every table of this service.
import { ConnectionEntity } from './connections/connection.entity.js';
import { NodeEntity } from './nodes/node.entity.js';
import { QueuePollEntity } from './notifications/queue-poll.entity.js';
import { RemovedNodeEntity } from './nodes/removed-node.entity.js';
import { ServedTenantEntity } from './syncs/served-tenant.entity.js';
import { SyncEntity } from './syncs/sync.entity.js';
import { NodeUploadEntity } from './uploads/node-upload.entity.js';

export const entities = [
  ConnectionEntity,
  NodeEntity,
  RemovedNodeEntity,
  SyncEntity,
  ServedTenantEntity,
  NodeUploadEntity,
  QueuePollEntity,
];

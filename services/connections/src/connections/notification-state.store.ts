// What the owner of a connection sees of the queue of its notifications.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { BucketFault } from '../external-buckets/domain/bucket-error.js';
import type { ConnectionEntity } from './connection.entity.js';

/** Writes nothing while the outcome is the same; the time of the last message has a precision of some seconds. */
const record = statement(
  'notification_state.record',
  `update connections
   set notification_error_code = $4, notification_error = $5,
     notification_received_at = case when $6::boolean then now() else notification_received_at end
   where tenant_id = $1 and id = $2 and notification_queue = $3 and deleted_at is null
     and (notification_error is distinct from $5
       or ($6::boolean and notification_received_at is distinct from greatest(notification_received_at, now() - interval '5 seconds')))`,
);

@Injectable()
export class NotificationStateStore {
  constructor(private readonly database: Database) {}

  /** Records the outcome of a poll of the queue; `fault` is null for success. Does nothing once the connection has another queue. */
  async record(
    { tenant_id, id, notification_queue }: ConnectionEntity,
    fault: BucketFault | null,
    hasReceived = false,
  ): Promise<void> {
    const values = [tenant_id, id, notification_queue, fault?.code ?? null, fault?.message ?? null, hasReceived];
    await this.database.query(record, values);
  }
}

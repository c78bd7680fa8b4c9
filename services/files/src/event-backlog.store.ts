// Counts the events of this service that the relay has not published yet. Background work that emits many events pauses while the
// backlog is full, so that a bucket or a space of millions of files does not delay the events of other tenants.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

const UNPUBLISHED_EVENTS_MAX = 5_000;

/** A count that stops at the limit. */
const countWaiting = statement(
  'event_backlog.count',
  'select count(*)::int as waiting from (select 1 from outbox where published_at is null limit $1) waiting',
);

@Injectable()
export class EventBacklog {
  constructor(private readonly database: Database) {}

  async isFull(): Promise<boolean> {
    const [row] = await this.database.query<{ waiting: number }>(countWaiting, [UNPUBLISHED_EVENTS_MAX]);
    return (row?.waiting ?? 0) >= UNPUBLISHED_EVENTS_MAX;
  }
}

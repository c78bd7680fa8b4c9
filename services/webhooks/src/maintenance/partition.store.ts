// The daily partitions of tables with a retention time.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** An event is in the partition of the day on which it happened. The broker redelivers it for up to a week. */
const DAYS_BEFORE = 8;

/** Calls a function of the schema. */
const ensure = statement(
  'partitions.ensure',
  `select ensure_partitions(($1::timestamptz at time zone 'UTC')::date - ${DAYS_BEFORE},
  ($1::timestamptz at time zone 'UTC')::date + $2::int) as count`,
);
/** Calls a function of the schema. */
const drop = statement(
  'partitions.drop',
  `select drop_partitions(($1::timestamptz at time zone 'UTC')::date - $2::int) as count`,
);

@Injectable()
export class PartitionStore {
  constructor(private readonly database: Database) {}

  /** Creates missing partitions, from the oldest day of which events may still arrive to `daysAhead` days after `now`. Returns how many. */
  async ensure(now: Date, daysAhead: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(ensure, [now, daysAhead]);
    return row?.count ?? 0;
  }

  /** Drops the partitions that end more than `keptDays` days before `now`, and their queued deliveries. Returns how many. */
  async drop(now: Date, keptDays: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(drop, [now, keptDays]);
    return row?.count ?? 0;
  }
}

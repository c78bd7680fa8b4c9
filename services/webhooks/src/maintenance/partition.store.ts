// The daily partitions of tables with a retention time.
import { Database, statement, type Queryable } from '@kiln/platform';
import { Inject, Injectable } from '@nestjs/common';

/** An event lies in the partition of the day on which it happened. The broker keeps it for a week. */
const DAYS_BEFORE = 8;

const ensure = statement(
  'partitions.ensure',
  `select ensure_partitions(($1::timestamptz at time zone 'UTC')::date - ${DAYS_BEFORE},
  ($1::timestamptz at time zone 'UTC')::date + $2::int) as count`,
);
const drop = statement(
  'partitions.drop',
  `select drop_partitions(($1::timestamptz at time zone 'UTC')::date - $2::int) as count`,
);

@Injectable()
export class PartitionStore {
  constructor(@Inject(Database) private readonly database: Queryable) {}

  /** Makes what is missing from the days of which events may still come to `daysAhead` days after `now`. Answers how many. */
  async ensure(now: Date, daysAhead: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(ensure, [now, daysAhead]);
    return row?.count ?? 0;
  }

  /** Drops the days that lie wholly more than `keptDays` days before `now`, queued deliveries included. Answers how many partitions. */
  async drop(now: Date, keptDays: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(drop, [now, keptDays]);
    return row?.count ?? 0;
  }
}

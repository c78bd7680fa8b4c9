// Partitions by day of what is kept for a time.
import { statement, type Queryable } from '@kiln/platform';

const ensure = statement(
  'partitions.ensure',
  `select ensure_partitions(($1::timestamptz at time zone 'UTC')::date,
  ($1::timestamptz at time zone 'UTC')::date + $2::int) as count`,
);
const drop = statement(
  'partitions.drop',
  `select drop_partitions(($1::timestamptz at time zone 'UTC')::date - $2::int) as count`,
);

export class PartitionStore {
  constructor(private readonly database: Queryable) {}

  /** Makes what is missing from the day before `now` to `daysAhead` days after. Answers how many. */
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

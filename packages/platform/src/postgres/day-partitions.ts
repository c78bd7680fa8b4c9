// The partitions of tables with a retention time, one for each UTC day. The functions are made by the migration `create-day-partitions`.
import { statement } from './statement.js';
import type { Queryable } from './transaction.js';

export interface DayPartitionOptions {
  /** Tables that are partitioned by a date, or by a UUIDv7. */
  tables: readonly string[];
  /** Days before today that have a partition. */
  daysBefore: number;
  /** Partitions are created so many days ahead, so that a service may be down for that long. */
  daysAhead: number;
  /** A partition is dropped when its day is further back. */
  keptDays: number;
}

const DAY = `($2::timestamptz at time zone 'UTC')::date`;
const ensure = statement(
  'platform.ensure_days',
  `select ensure_days($1::text[], ${DAY} - $3::int, ${DAY} + $4::int) as count`,
);
const drop = statement('platform.drop_days', `select drop_days($1::text[], ${DAY} - $3::int) as count`);

export class DayPartitions {
  constructor(
    private readonly database: Queryable,
    private readonly options: DayPartitionOptions,
  ) {}

  /** Creates the missing partitions. Returns how many. */
  async ensure(now: Date): Promise<number> {
    const { tables, daysBefore, daysAhead } = this.options;
    const [row] = await this.database.query<{ count: number }>(ensure, [tables, now, daysBefore, daysAhead]);
    return row?.count ?? 0;
  }

  /** Drops the expired partitions. Returns how many. Fails if another session uses one: the next call drops it. */
  async drop(now: Date): Promise<number> {
    const { tables, keptDays } = this.options;
    const [row] = await this.database.query<{ count: number }>(drop, [tables, now, keptDays]);
    return row?.count ?? 0;
  }
}

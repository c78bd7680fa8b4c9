// The daily partitions of the request log.
import { REQUEST_LOG_DAYS } from '@kiln/contracts';
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

const TODAY = `($1::timestamptz at time zone 'UTC')::date`;

/** Calls a function of the schema. */
const ensure = statement(
  'partitions.ensure',
  `select ensure_partitions(${TODAY} - ${REQUEST_LOG_DAYS}, ${TODAY} + $2::int) as count`,
);
/** Calls a function of the schema. */
const drop = statement('partitions.drop', `select drop_partitions(${TODAY} - ${REQUEST_LOG_DAYS}) as count`);

@Injectable()
export class PartitionStore {
  constructor(private readonly database: Database) {}

  /** Creates missing partitions, from the oldest day that is kept to `daysAhead` days after `now`. Returns how many. */
  async ensure(now: Date, daysAhead: number): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(ensure, [now, daysAhead]);
    return row?.count ?? 0;
  }

  /** Drops the partitions of days that are no longer kept. Returns how many. */
  async drop(now: Date): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(drop, [now]);
    return row?.count ?? 0;
  }
}

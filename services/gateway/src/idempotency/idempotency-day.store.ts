// The daily partitions of the rows of requests with an Idempotency-Key.
import { statement, type Queryable } from '@kiln/platform';

/** The store creates partitions so many days ahead that they exist even if none of the later runs succeeds. */
const DAYS_AHEAD = 14;

const ensure = statement(
  'gateway.ensure_idempotency_days',
  'select ensure_idempotency_days(idempotency_day() - 2, idempotency_day() + $1::int)',
);
const drop = statement('gateway.drop_idempotency_days', 'select drop_idempotency_days(idempotency_day() - 2)');

export class IdempotencyDayStore {
  constructor(private readonly database: Queryable) {}

  async ensure(): Promise<void> {
    await this.database.query(ensure, [DAYS_AHEAD]);
  }

  /** Also drops the days of which no answer is kept any more. Fails if another session uses one: the next run drops it. */
  async renew(): Promise<void> {
    await this.ensure();
    await this.database.query(drop);
  }
}

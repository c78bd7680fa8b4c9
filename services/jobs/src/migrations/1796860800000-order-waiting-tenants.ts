import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

export class OrderWaitingTenants1796860800000 extends Migration {
  static readonly phase = 'expand';

  /** Claims go on while the index is built. */
  override readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table waiting_tenants alter column served_at set default now() - interval '1000 years'`);
    await runner.query('drop index concurrently if exists waiting_tenants_by_due');
    // On the lane as an expression: a statement that looks for a tenant in a lane never reads this index, even by a plan that was made on an empty table.
    await runner.query("create index concurrently waiting_tenants_by_due on waiting_tenants ((lane || ''), due_at)");
  }
}

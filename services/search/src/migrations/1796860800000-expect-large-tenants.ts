import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/**
 * Statements are planned for any tenant. With many small tenants, Postgres would expect a few files of a tenant, and look up a file by any index that begins
 * with the tenant: it would read all files of a large tenant. So the statistics say that there is one tenant.
 */
export class ExpectLargeTenants1796860800000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table files alter column tenant_id set (n_distinct = 1)');
    // An empty table that was analyzed would be planned as one that stays empty.
    await runner.query('do $$ begin if exists (select from files) then analyze files; end if; end $$');
  }
}

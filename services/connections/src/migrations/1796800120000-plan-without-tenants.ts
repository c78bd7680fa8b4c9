import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/**
 * Postgres collects no statistics of the tenants of nodes. Every tenant then counts as 0.5 % of the table. With statistics, a tenant that came
 * after the last `analyze` counts as one row, and a statement with a list of ids reads all nodes of the tenant in place of these.
 */
export class PlanWithoutTenants1796800120000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['nodes', 'removed_nodes'])
      await runner.query(`alter table ${table} alter column tenant_id set statistics 0`);
  }
}

import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

export class AddDueReplacementsIndex1797120000000 extends Migration {
  static readonly phase = 'expand';

  /** Replacements change while the index is built. */
  override readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists replacements_of_tenant');
    await runner.query('create index concurrently replacements_of_tenant on replacements (tenant_id, due_at)');
  }
}

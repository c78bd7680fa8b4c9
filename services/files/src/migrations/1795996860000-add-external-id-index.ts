import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

export class AddExternalIdIndex1795996860000 extends Migration {
  static readonly phase = 'expand';

  /** Files change while the index is built. */
  override readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists files_by_external_id');
    await runner.query(
      'create unique index concurrently files_by_external_id on files (tenant_id, external_id) where external_id is not null',
    );
  }
}

import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

export class AddSourceIndex1796256060000 extends Migration {
  static readonly phase = 'expand';

  /** Files change while the index is built. */
  override readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists files_by_source');
    await runner.query(
      'create unique index concurrently files_by_source on files (tenant_id, source_id) where source_id is not null',
    );
  }
}

import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

export class AddBatchIndex1795910400000 extends Migration {
  static readonly phase = 'expand';

  /** Claims go on while the index is built. */
  override readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists jobs_by_batch');
    await runner.query(
      'create index concurrently jobs_by_batch on jobs (tenant_id, batch_id, created_at, id) where batch_id is not null',
    );
  }
}

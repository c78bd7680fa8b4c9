import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/**
 * Postgres analyzes the files after 20,000 changes. By default it would wait for a tenth of the table: until then a tenant that is new counts as
 * one file, and each look-up of a file by its id reads an index of all files of the tenant.
 */
export class AnalyzeFilesEarly1796600120000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table files set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000)',
    );
  }
}

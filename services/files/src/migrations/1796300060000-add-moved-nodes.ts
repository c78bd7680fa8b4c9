import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/** The time of the last move of a node, so that an earlier one changes nothing. */
export class AddMovedNodes1796300060000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table connection_files add column moved_at timestamptz(3)');
  }
}

import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

export class AddFileEdits1795996800000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table jobs add column file_edits integer not null default 0');
  }
}

import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

export class AddLines1795737600000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table chunks add column lines smallint[]');
  }
}

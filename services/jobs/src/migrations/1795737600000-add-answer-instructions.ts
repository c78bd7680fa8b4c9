import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

export class AddAnswerInstructions1795737600000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table organization_settings add column answer_instructions text');
  }
}

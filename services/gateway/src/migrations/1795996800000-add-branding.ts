import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

export class AddBranding1795996800000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table organizations add column branding jsonb not null default '{}'`);
  }
}

import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

export class AddFrameAncestors1796180000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table organizations add column frame_ancestors text[] not null default '{}'`);
  }
}

import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/** Listings that are split into ranges of keys, each with its own checkpoint. */
export class AddListingRanges1796800000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table syncs add column ranges jsonb');
  }
}

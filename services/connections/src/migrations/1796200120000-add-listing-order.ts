import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/** Stores that list their keys in no order. */
export class AddListingOrder1796200120000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table connections add column listing_order text not null default 'sorted'
      check (listing_order in ('sorted', 'unsorted'))`);
  }
}

import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
alter table connections add column inventory jsonb;
alter table syncs add column inventory jsonb;
`;

/** Inventories of Amazon S3, which syncs read in place of a listing. */
export class AddInventories1796800060000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}

import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/** Connections of the release before have no limit of a plan until their next sync on request or change. */
export class AddPlanLimits1796400120000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table connections add column nodes_limit bigint');
  }
}

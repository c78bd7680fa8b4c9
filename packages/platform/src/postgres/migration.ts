// A migration is a class that runs SQL. Its name ends with its creation time in milliseconds, which defines the order.
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The base class of all migrations. There is no down migration; a later migration corrects an earlier one. */
export abstract class Migration implements MigrationInterface {
  /**
   * `false` runs the statements outside a transaction, as `create index concurrently` requires, and lets them wait for locks without
   * limit. Give each its own `runner.query`, and make it safe to repeat: a migration that fails half-way starts again from the
   * beginning. An index build that fails leaves an invalid index, so `drop index concurrently if exists` comes first.
   */
  readonly transaction?: boolean;

  /** Runs the statements: the same ones in every database, because their checksum identifies the form of the migration. */
  abstract up(runner: QueryRunner): Promise<void>;

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations cannot be reverted: add a new one.'));
  }
}

export interface MigrationClass {
  new (): Migration;
  /**
   * `expand`: the previous release keeps working on the resulting schema. `contract`: removes things that the previous release may
   * use, so it ships one release after their last use.
   */
  readonly phase: 'expand' | 'contract';
  /** Required extensions. They are created before the migration runs, in the schema `public`. */
  readonly extensions?: readonly string[];
  /** Extensions that are created as well if the server has them and the user may create them. */
  readonly optionalExtensions?: readonly string[];
}

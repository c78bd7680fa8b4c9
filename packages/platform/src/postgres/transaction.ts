// A transaction: named statements and repositories on the same connection, which commit together.
import type pg from 'pg';
import type { EntityManager, QueryRunner } from 'typeorm';
import { isTraced } from '../observability/tracing.js';
import { inStatementSpan } from './database-spans.js';
import { queryOf, statement, type Statement } from './statement.js';

export type Row = pg.QueryResultRow;

/** The common part of a pool and a transaction. */
export interface Queryable {
  query<Result extends Row>(statement: Statement, values?: unknown[]): Promise<Result[]>;
}

export interface Transaction extends Queryable {
  /** Repositories and query builders of this transaction: `transaction.manager.getRepository(WebhookEntity)`. */
  readonly manager: EntityManager;
  /**
   * Waits for the advisory lock of this name, and holds it until the commit. Read in a later statement: the snapshot
   * of the locking statement is older than the lock, and misses what its previous holder committed.
   */
  lock(name: string): Promise<void>;
  /** Runs `work` in a savepoint. A failure undoes only the work inside. */
  savepoint<Result>(work: () => Promise<Result>): Promise<Result>;
}

export const advisoryLock = statement('platform.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 0))');

export class RunnerTransaction implements Transaction {
  appendsEvents = false;
  private depth = 0;

  constructor(
    private readonly runner: QueryRunner,
    private readonly client: pg.PoolClient,
    private readonly schema: string,
  ) {}

  get manager(): EntityManager {
    return this.runner.manager;
  }

  async query<Result extends Row>(statement: Statement, values: unknown[] = []): Promise<Result[]> {
    if (statement.appendsEvents) this.appendsEvents = true;
    if (!isTraced()) return this.send(statement, values);
    return inStatementSpan(this.schema, statement, () => this.send<Result>(statement, values));
  }

  private async send<Result extends Row>(statement: Statement, values: unknown[]): Promise<Result[]> {
    const result = await this.client.query<Result>(queryOf(statement, values));
    return result.rows;
  }

  async lock(name: string): Promise<void> {
    await this.query(advisoryLock, [name]);
  }

  async savepoint<Result>(work: () => Promise<Result>): Promise<Result> {
    const name = `s${++this.depth}`;
    await this.client.query(`savepoint ${name}`);
    try {
      const result = await work();
      await this.client.query(`release savepoint ${name}`);
      return result;
    } catch (error) {
      await this.client.query(`rollback to savepoint ${name}`);
      throw error;
    } finally {
      this.depth--;
    }
  }
}

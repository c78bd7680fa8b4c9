// A transaction that waits for fewer answers: `begin` travels with its first statement, and the commit with its last.
import type pg from 'pg';
import { isTraced } from '../observability/tracing.js';
import { inStatementSpan } from './database-spans.js';
import { queryOf, type Statement } from './statement.js';
import { advisoryLock, type Queryable, type Row } from './transaction.js';

/** In pipeline mode, node-postgres sends a query without waiting for the previous one. Its types leave that out. */
type PipeliningClient = pg.PoolClient & { pipeline: boolean };

export class PipelinedTransaction implements Queryable {
  private begun: Promise<unknown> | null = null;
  private isEnded = false;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly schema: string,
  ) {
    (client as PipeliningClient).pipeline = true;
  }

  query<Result extends Row>(statement: Statement, values: unknown[] = []): Promise<Result[]> {
    return this.inSpan(statement, () => this.send<Result>(statement, values));
  }

  /** Waits for the advisory lock of this name, like `Transaction.lock`. */
  async lock(name: string): Promise<void> {
    await this.query(advisoryLock, [name]);
  }

  /** The last statement. Returns when it is committed. If it fails, the transaction is rolled back. */
  async commit<Result extends Row>(statement: Statement, values: unknown[] = []): Promise<Result[]> {
    this.isEnded = true;
    const sent = () => Promise.all([this.send<Result>(statement, values), this.client.query('commit')]);
    const [rows] = await this.inSpan(statement, sent);
    return rows;
  }

  /** Commits unless `commit` did. Leaves pipeline mode. */
  async end(): Promise<void> {
    if (this.begun && !this.isEnded) await this.client.query('commit');
    (this.client as PipeliningClient).pipeline = false;
  }

  private async send<Result extends Row>(statement: Statement, values: unknown[]): Promise<Result[]> {
    this.begun ??= this.client.query('begin');
    const [result] = await Promise.all([this.client.query<Result>(queryOf(statement, values)), this.begun]);
    return result.rows;
  }

  private inSpan<Result>(statement: Statement, work: () => Promise<Result>): Promise<Result> {
    return isTraced() ? inStatementSpan(this.schema, statement, work) : work();
  }
}

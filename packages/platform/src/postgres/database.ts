// Named statements on the pool of the service's DataSource, and transactions that they share with repositories. Each call has a
// deadline. If the database is not available, it fails as UNAVAILABLE, so that callers know that they may retry.
import pg from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { isTraced } from '../observability/tracing.js';
import { isDeadEnd, isMissingRole, translateDatabaseError } from './database-errors.js';
import { inStatementSpan, inTransactionSpan } from './database-spans.js';
import {
  CONNECT_TIMEOUT_MS,
  createDataSource,
  discardConnections,
  discardIdle,
  endConnection,
  poolOf,
  sessionOptions,
  type DatabaseOptions,
  type PlanOptions,
} from './data-source.js';
import type { FairPool } from './fair-pool.js';
import { GrowthStatistics } from './growth-statistics.js';
import { PipelinedTransaction } from './pipelined-transaction.js';
import { assertLogin } from './pooled-login.js';
import { queryOf, type Statement } from './statement.js';
import { usePassword } from './rotated-password.js';
import { RunnerTransaction, type Queryable, type Row, type Transaction } from './transaction.js';

export interface TransactionOptions extends Pick<PlanOptions, 'byIndex'> {
  /** All statements see the data as of the first one, and may only read. */
  snapshot?: boolean;
}

export interface ConnectionUse {
  used: number;
  idle: number;
  max: number;
  waiting: number;
}

export class Database implements Queryable {
  private readonly appendListeners = new Set<() => void>();
  private readonly pool: FairPool;
  private readonly statistics: GrowthStatistics;

  private constructor(
    private readonly options: DatabaseOptions,
    /** For repositories outside transactions. */
    readonly dataSource: DataSource,
  ) {
    this.pool = poolOf(dataSource);
    this.statistics = new GrowthStatistics(this.pool);
  }

  /** Connects. `onIdleError` is called when an idle connection fails. */
  static async open(options: DatabaseOptions, onIdleError: (error: Error) => void): Promise<Database> {
    const dataSource = createDataSource(options, onIdleError);
    try {
      await dataSource.initialize();
    } catch (error) {
      if (!isMissingRole(error)) throw translateDatabaseError(error);
      throw new Error(`schema ${options.schema} does not exist. Run the migrate command first.`, { cause: error });
    }
    const database = new Database(options, dataSource);
    if (options.pooled) await assertLogin(database, options);
    return database;
  }

  get schema(): string {
    return this.options.schema;
  }

  query<Result extends Row>(statement: Statement, values: unknown[] = []): Promise<Result[]> {
    if (!isTraced()) return this.send(statement, values);
    return inStatementSpan(this.schema, statement, () => this.send<Result>(statement, values));
  }

  private async send<Result extends Row>(statement: Statement, values: unknown[]): Promise<Result[]> {
    try {
      const result = await this.pool.query<Result>(queryOf(statement, values));
      return result.rows;
    } catch (error) {
      // The pool has discarded this connection, as after every error.
      if (isDeadEnd(error)) discardIdle(this.pool);
      throw translateDatabaseError(error);
    } finally {
      this.statistics.count();
      if (statement.appendsEvents) this.tellOfEvents();
    }
  }

  /** Runs `work` in one transaction; commits when it returns, rolls back when it throws. */
  transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    if (!isTraced()) return this.transact(work, options);
    return inTransactionSpan(this.schema, () => this.transact(work, options));
  }

  private async transact<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions,
  ): Promise<Result> {
    const runner = this.dataSource.createQueryRunner();
    const client = await connect(runner);
    let lost: Error | undefined;
    // A connection that fails between two statements emits an event. The next statement fails as well.
    const onError = (error: Error) => (lost = error);
    client.on('error', onError);
    const transaction = new RunnerTransaction(runner, client, this.schema);
    try {
      await runner.startTransaction();
      const settings = settingsOf(options, this.options);
      if (settings !== '') await client.query(settings);
      const result = await work(transaction);
      await runner.commitTransaction();
      return result;
    } catch (error) {
      if (isDeadEnd(error)) await discardConnections(runner);
      else await runner.rollbackTransaction().catch(() => endConnection(runner));
      throw translateDatabaseError(lost ?? error);
    } finally {
      client.off('error', onError);
      await runner.release();
      this.statistics.count();
      if (transaction.appendsEvents) this.tellOfEvents();
    }
  }

  /** A transaction of statements that append no events, for hot paths: see `PipelinedTransaction`. */
  pipelined<Result>(work: (transaction: PipelinedTransaction) => Promise<Result>): Promise<Result> {
    if (!isTraced()) return this.transactPipelined(work);
    return inTransactionSpan(this.schema, () => this.transactPipelined(work));
  }

  private async transactPipelined<Result>(
    work: (transaction: PipelinedTransaction) => Promise<Result>,
  ): Promise<Result> {
    let client: pg.PoolClient | undefined;
    try {
      client = await this.pool.connect();
      const transaction = new PipelinedTransaction(client, this.schema);
      const result = await work(transaction);
      await transaction.end();
      client.release();
      return result;
    } catch (error) {
      // The server rolls back when the connection ends.
      client?.release(true);
      if (isDeadEnd(error)) discardIdle(this.pool);
      throw translateDatabaseError(error);
    } finally {
      this.statistics.count();
    }
  }

  /** Calls `listener` when this process may have committed events. Returns a function that unsubscribes. */
  onEventsAppended(listener: () => void): () => void {
    this.appendListeners.add(listener);
    return () => void this.appendListeners.delete(listener);
  }

  /** Opens a connection outside the pool, for session state. The caller must end it. */
  async dedicatedClient(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.options.url,
      options: sessionOptions(this.options),
      connectionTimeoutMillis: this.options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: `kiln-${this.schema}-own`,
    });
    usePassword(client, this.options.password);
    // The statement of the caller fails, too. Without a listener, the event would end the process.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Fails unless the server accepts writes: a standby refuses to lock rows. */
  async ping(): Promise<void> {
    await this.query({ name: 'platform.ping', text: 'select from outbox where false for update' });
  }

  private tellOfEvents(): void {
    for (const listener of this.appendListeners) listener();
  }

  get waitingCount(): number {
    return this.pool.queuedCount;
  }

  /** The connections of the pool now, and the requests that wait for one. */
  get connectionUse(): ConnectionUse {
    const { totalCount, idleCount, queuedCount, options } = this.pool;
    return { used: totalCount - idleCount, idle: idleCount, max: options.max, waiting: queuedCount };
  }

  /** Waits for running queries. (`DataSource.destroy` would close their connections.) */
  async close(): Promise<void> {
    await this.pool.end();
  }
}

async function connect(runner: QueryRunner): Promise<pg.PoolClient> {
  try {
    return (await runner.connect()) as pg.PoolClient;
  } catch (error) {
    throw translateDatabaseError(error);
  }
}

function settingsOf({ byIndex, snapshot }: TransactionOptions, session: PlanOptions): string {
  const isByIndex = session.byIndex || session.lookUps;
  return [
    ...(snapshot ? ['set transaction isolation level repeatable read read only'] : []),
    ...(byIndex && !isByIndex ? ['set local enable_seqscan = off'] : []),
  ].join('; ');
}

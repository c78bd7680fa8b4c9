// One pool per process, as the service's own role in its own schema. Every use has a deadline, and a database that is away
// surfaces as UNAVAILABLE so that callers can tell "come back" from "wrong".
import pg from 'pg';
import { translateDatabaseError } from './database-errors.js';
import type { Statement } from './statement.js';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

type Row = pg.QueryResultRow;

/** What both a pool and a transaction can do. */
export interface Queryable {
  query<Result extends Row>(statement: Statement, values?: unknown[]): Promise<Result[]>;
}

export interface Transaction extends Queryable {
  /** Runs `work` so that its failure undoes only what it did itself. */
  savepoint<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * How statements are planned. By index: they read no table from end to end that an index leads into. For those of queues: a plan that
 * was made while the table was all but empty would read the whole of it, and is kept while it grows.
 */
export interface PlanOptions {
  byIndex?: boolean;
}

export interface TransactionOptions extends PlanOptions {
  /** All statements see the data as it was at the first of them, and may only read. */
  snapshot?: boolean;
  /** Prepared statements keep one plan for all values: for those that take longer to plan than to run. */
  planOnce?: boolean;
}

export interface DatabaseOptions extends PlanOptions {
  url: string;
  /** Schema of the service; its role is `kiln_<schema>`. */
  schema: string;
  /** Connections this process may hold. */
  connectionsMax: number;
  /** Milliseconds after which the server aborts a statement. */
  statementTimeoutMs: number;
}

const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

export const roleOf = (schema: string) => `kiln_${schema}`;

/** Startup options that put every session into the service's role and schema. `public` holds extensions only. */
function sessionOptions({ schema, statementTimeoutMs, byIndex = false }: DatabaseOptions): string {
  return [
    `-c role=${roleOf(schema)}`,
    `-c search_path=${schema},public`,
    `-c statement_timeout=${statementTimeoutMs}`,
    `-c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_TIMEOUT_MS}`,
    // Statements here take milliseconds; to compile one whose cost the planner overrates takes a hundred times as long.
    '-c jit=off',
    ...(byIndex ? ['-c enable_seqscan=off'] : []),
  ].join(' ');
}

export class Database implements Queryable {
  readonly schema: string;
  private readonly pool: pg.Pool;
  private readonly options: DatabaseOptions;
  private readonly appendListeners = new Set<() => void>();

  constructor(options: DatabaseOptions, onIdleError: (error: Error) => void) {
    this.schema = options.schema;
    this.options = options;
    this.pool = new pg.Pool({
      connectionString: options.url,
      options: sessionOptions(options),
      max: options.connectionsMax,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 30_000,
      query_timeout: options.statementTimeoutMs + 1_000,
      application_name: `kiln-${options.schema}`,
    });
    // A connection that dies while idle is replaced by the pool; without a listener it would end the process.
    this.pool.on('error', onIdleError);
  }

  async query<Result extends Row>(statement: Statement, values: unknown[] = []): Promise<Result[]> {
    try {
      const result = await this.pool.query<Result>({ ...statement, values });
      return result.rows;
    } catch (error) {
      throw translateDatabaseError(error);
    } finally {
      if (statement.appendsEvents) this.tellOfEvents();
    }
  }

  /** Runs `work` in one transaction; commits when it returns, rolls back when it throws. */
  async transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    options: TransactionOptions = {},
  ): Promise<Result> {
    const client = await this.pool.connect().catch((error: unknown) => {
      throw translateDatabaseError(error);
    });
    let broken: Error | undefined;
    // A connection that dies between two statements says so by an event; the next statement will then fail as well.
    const onError = (error: Error) => (broken = error);
    client.on('error', onError);
    const transaction = new ClientTransaction(client);
    try {
      await client.query(beginning(options));
      const result = await work(transaction);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch((rollbackError: Error) => (broken = rollbackError));
      throw translateDatabaseError(error);
    } finally {
      client.off('error', onError);
      client.release(broken);
      if (transaction.appendsEvents) this.tellOfEvents();
    }
  }

  /** Calls `listener` whenever this process has perhaps committed events. Answers what ends that. */
  onEventsAppended(listener: () => void): () => void {
    this.appendListeners.add(listener);
    return () => void this.appendListeners.delete(listener);
  }

  /** A connection of its own outside the pool, for what a session holds. The caller ends it. */
  async dedicatedClient(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.options.url,
      options: sessionOptions(this.options),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
      application_name: `kiln-${this.schema}-own`,
    });
    await client.connect();
    return client;
  }

  async ping(): Promise<void> {
    await this.query({ name: 'platform.ping', text: 'select 1' });
  }

  private tellOfEvents(): void {
    for (const listener of this.appendListeners) listener();
  }

  get waitingCount(): number {
    return this.pool.waitingCount;
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

function beginning({ byIndex = false, snapshot = false, planOnce = false }: TransactionOptions): string {
  return [
    snapshot ? 'begin isolation level repeatable read read only' : 'begin',
    ...(byIndex ? ['set local enable_seqscan = off'] : []),
    ...(planOnce ? ['set local plan_cache_mode = force_generic_plan'] : []),
  ].join('; ');
}

class ClientTransaction implements Transaction {
  appendsEvents = false;
  private depth = 0;

  constructor(private readonly client: pg.PoolClient) {}

  async query<Result extends Row>(statement: Statement, values: unknown[] = []): Promise<Result[]> {
    if (statement.appendsEvents) this.appendsEvents = true;
    const result = await this.client.query<Result>({ ...statement, values });
    return result.rows;
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

// The TypeORM DataSource of a service: its pool, schema, role, entities and migrations.
import pg from 'pg';
import { DataSource, type QueryRunner, type ReplicationMode } from 'typeorm';
import type { DatabaseConfig } from '../config/load-config.js';
import { platformEntities } from '../entities.js';
import { platformMigrations } from '../migrations/index.js';
import { isDeadEnd, translateDatabaseError } from './database-errors.js';
import { FairPool } from './fair-pool.js';
import type { MigrationClass } from './migration.js';
import { passwordIn, usePassword, type PasswordSource } from './rotated-password.js';

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * How statements are planned.
 * `byIndex`: neither a sequential scan nor a merge join if an index fits. A plan made while the table was almost empty would read all of
 * it, and is kept while the table grows.
 */
export interface PlanOptions {
  byIndex?: boolean;
  /**
   * For a service whose statements all touch few rows by key: plans by index and with nested loops, and plans each statement once
   * per connection, so that neither its values nor statistics change its plan.
   */
  lookUps?: boolean;
  /**
   * Reads rows in the order of an index, where one has that order, and does not sort them. For a tenant that the statistics do not know, the planner
   * expects one row, and would read and sort all rows of the tenant.
   */
  inOrder?: boolean;
}

export type EntityClass = new () => object;

/** The entities and migrations of a service, in addition to the platform's own tables. */
export interface ServiceSchema {
  entities?: readonly EntityClass[];
  migrations?: readonly MigrationClass[];
}

export interface DatabaseOptions extends PlanOptions, ServiceSchema {
  url: string;
  /** Replaces the password of `url` for each new connection. */
  password?: PasswordSource | undefined;
  /** The schema of the service. Its role is `kiln_<schema>`. */
  schema: string;
  /** The maximum number of connections of this process. */
  connectionsMax: number;
  /** Milliseconds after which the server aborts a statement. */
  statementTimeoutMs: number;
  /** Milliseconds to wait for a connection, a new one or one of the pool. Default 5,000. */
  connectTimeoutMs?: number;
  /**
   * Whether `url` is the address of a connection pooler in transaction mode, such as PgBouncer or RDS Proxy. A session then has no startup options and
   * no prepared statements. The defaults of the login role apply: see `pooled-login.ts`.
   */
  pooled?: boolean;
}

/** The options of a process that its variables set. */
export const connectionOptions = (config: DatabaseConfig) => ({
  url: config.DATABASE_URL,
  password:
    config.DATABASE_URL_FILE === undefined ? undefined : passwordIn(config.DATABASE_URL_FILE, config.DATABASE_URL),
  connectionsMax: config.KILN_DATABASE_CONNECTIONS,
  statementTimeoutMs: config.KILN_DATABASE_STATEMENT_TIMEOUT_MS,
  pooled: config.KILN_DATABASE_POOLER === 'transaction',
});

export const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
const CONNECTION_CHECK_MS = 1_000;

export const roleOf = (schema: string) => `kiln_${schema}`;

export type SessionOptions = PlanOptions & Pick<DatabaseOptions, 'schema' | 'statementTimeoutMs'>;

/** The settings of every session: the service's role and schema, limits and plans. `public` contains only extensions. */
export function sessionSettings({ schema, statementTimeoutMs, byIndex, lookUps, inOrder }: SessionOptions) {
  return {
    role: roleOf(schema),
    search_path: `${schema},public`,
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
    // A statement whose connection was closed ends. Without the check, the server would notice when it sends the result.
    client_connection_check_interval: String(CONNECTION_CHECK_MS),
    // Statements take milliseconds. JIT compilation of an overestimated one would take a hundred times as long.
    jit: 'off',
    ...(byIndex || lookUps ? { enable_seqscan: 'off', enable_mergejoin: 'off' } : {}),
    ...(lookUps ? { enable_hashjoin: 'off', plan_cache_mode: 'force_generic_plan' } : {}),
    ...(inOrder ? { enable_sort: 'off' } : {}),
  };
}

/** The startup options of a session. */
export function sessionOptions(options: DatabaseOptions): string | undefined {
  if (options.pooled) return undefined;
  const settings = Object.entries(sessionSettings(options));
  return settings.map(([name, value]) => `-c ${name}=${value}`).join(' ');
}

/**
 * The pool may pass a connection on before its next user listens for errors. If the server ends it at that moment, an error without a
 * listener would end the process. The next query fails as well.
 */
class PooledClient extends pg.Client {
  constructor(config?: pg.ClientConfig & { passwordSource?: PasswordSource }) {
    super(config);
    usePassword(this, config?.passwordSource);
    this.on('error', () => undefined);
  }
}

/** Prepares no statements: the next transaction may have another connection of the server. */
class UnpreparedClient extends PooledClient {
  override query(...values: unknown[]): never {
    const [query] = values;
    if (typeof query === 'object' && query !== null && 'name' in query) values[0] = { ...query, name: undefined };
    return (super.query as (...passed: unknown[]) => never)(...values);
  }
}

/** Does not connect; `initialize()` does. The schema changes only by migrations. */
export function createDataSource(options: DatabaseOptions, onIdleError: (error: Error) => void): DataSource {
  return new ServiceDataSource({
    type: 'postgres',
    driver: { ...pg, Pool: FairPool },
    url: options.url,
    schema: options.schema,
    entities: [...platformEntities, ...(options.entities ?? [])],
    migrations: [...platformMigrations, ...(options.migrations ?? [])],
    migrationsTransactionMode: 'each',
    synchronize: false,
    installExtensions: false,
    logging: false,
    applicationName: `kiln-${options.schema}`,
    connectTimeoutMS: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    poolSize: options.connectionsMax,
    // The pool replaces a connection that fails while idle. Without a listener, the error would end the process.
    poolErrorHandler: onIdleError,
    extra: {
      Client: options.pooled ? UnpreparedClient : PooledClient,
      passwordSource: options.password,
      options: sessionOptions(options),
      idleTimeoutMillis: 30_000,
      query_timeout: options.statementTimeoutMs + 1_000,
    },
  });
}

/** Every query of repositories and query builders goes through a query runner, so their errors are translated here. */
class ServiceDataSource extends DataSource {
  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    const runner = super.createQueryRunner(mode);
    const query = runner.query.bind(runner) as (...values: unknown[]) => Promise<unknown>;
    const translated = async (...values: unknown[]) => {
      try {
        return await query(...values);
      } catch (error) {
        if (isDeadEnd(error)) await discardConnections(runner);
        throw translateDatabaseError(error);
      }
    };
    return Object.assign(runner, { query: translated as QueryRunner['query'] });
  }
}

/** For a dead end: the idle connections lead to the same server. */
export async function discardConnections(runner: QueryRunner): Promise<void> {
  discardIdle(poolOf(runner.connection));
  await endConnection(runner);
}

export const poolOf = ({ driver }: DataSource): FairPool => (driver as unknown as { master: FairPool }).master;

export function discardIdle(pool: pg.Pool): void {
  for (let left = pool.idleCount; left > 0; left--) {
    pool.connect().then(
      (client) => client.release(true),
      () => undefined,
    );
  }
}

/** For a connection in an unknown state: it is ended, and the pool replaces it. */
export async function endConnection(runner: QueryRunner): Promise<void> {
  if (runner.isReleased) return;
  const client = (await runner.connect()) as pg.PoolClient & pg.Client;
  client.end().catch(() => undefined);
}

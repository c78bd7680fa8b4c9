/** Checks that the connection pools of all processes fit into Postgres' limit. */

export interface PooledProcess {
  readonly name: string;
  /** The maximum number of such processes. */
  readonly replicas: number;
  /** Connections per process (KILN_DATABASE_CONNECTIONS). */
  readonly connections: number;
}

export interface ConnectionLimits {
  /** `max_connections`. */
  readonly max: number;
  /** The sum of `superuser_reserved_connections` and `reserved_connections`, which Kiln does not use. */
  readonly reserved: number;
}

/** The default pool size. */
export const DEFAULT_CONNECTIONS = 10;
/** The defaults of a server; `max` is often 100. */
export const DEFAULT_RESERVED = 3;
/** Reserve for migrations and operator commands, which open their own connections. */
export const SPARE_CONNECTIONS = 10;

export function connectionsNeeded(processes: readonly PooledProcess[]): number {
  return processes.reduce((sum, { replicas, connections }) => sum + replicas * connections, SPARE_CONNECTIONS);
}

/** The problem and its solution, or null if the pools fit. */
export function connectionProblem(processes: readonly PooledProcess[], limits: ConnectionLimits): string | null {
  const needed = connectionsNeeded(processes);
  const accepted = limits.max - limits.reserved;
  if (needed <= accepted) return null;
  const count = processes.reduce((sum, { replicas }) => sum + replicas, 0);
  return (
    `${count} processes may open ${needed - SPARE_CONNECTIONS} connections to Postgres, and ${SPARE_CONNECTIONS} are reserved for ` +
    `migrations and commands; it accepts ${accepted}. Raise max_connections to at least ${needed + limits.reserved}, or ` +
    `lower KILN_DATABASE_CONNECTIONS.`
  );
}

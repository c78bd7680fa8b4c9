/** Whether the connection pools of all processes fit into what Postgres accepts. */

export interface PooledProcess {
  readonly name: string;
  /** The most processes of this kind that run at a time. */
  readonly replicas: number;
  /** Connections that each of them may hold (KILN_DATABASE_CONNECTIONS). */
  readonly connections: number;
}

export interface ConnectionLimits {
  /** `max_connections`. */
  readonly max: number;
  /** `superuser_reserved_connections` and `reserved_connections` together, which Kiln leaves alone. */
  readonly reserved: number;
}

/** What a process holds unless it is told otherwise. */
export const DEFAULT_CONNECTIONS = 10;
/** What a server has unless it is told otherwise; `max` is often 100. */
export const DEFAULT_RESERVED = 3;
/** For migrations and operators' commands, which open connections of their own. */
export const SPARE_CONNECTIONS = 10;

export function connectionsNeeded(processes: readonly PooledProcess[]): number {
  return processes.reduce((sum, { replicas, connections }) => sum + replicas * connections, SPARE_CONNECTIONS);
}

/** What is wrong and what to change; null when the pools fit. */
export function connectionProblem(processes: readonly PooledProcess[], limits: ConnectionLimits): string | null {
  const needed = connectionsNeeded(processes);
  const accepted = limits.max - limits.reserved;
  if (needed <= accepted) return null;
  const count = processes.reduce((sum, { replicas }) => sum + replicas, 0);
  return (
    `${count} processes may open ${needed - SPARE_CONNECTIONS} connections to Postgres, and ${SPARE_CONNECTIONS} are for ` +
    `migrations and commands; it accepts ${accepted}. Raise max_connections to at least ${needed + limits.reserved}, or ` +
    `lower KILN_DATABASE_CONNECTIONS.`
  );
}

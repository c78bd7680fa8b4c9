/** Refuses to start a system whose processes could open more connections than Postgres accepts. */
import { LauncherError } from '../errors.js';
import { readConnectionLimits } from '../servers/postgres-limits.js';
import { connectionProblem } from './connection-budget.js';
import { processName, type ProcessDescription } from './topology.js';

/** `connections` is the maximum of each process. */
export async function assertConnectionsFit(
  topology: readonly ProcessDescription[],
  connections: number,
  databaseUrl: string,
): Promise<void> {
  const pooled = topology.filter(({ needs }) => needs.includes('database'));
  const processes = pooled.map((description) => ({ name: processName(description), replicas: 1, connections }));
  const problem = connectionProblem(processes, await readConnectionLimits(databaseUrl));
  if (problem !== null) throw new LauncherError('config_invalid', `Cannot start: ${problem}`);
}

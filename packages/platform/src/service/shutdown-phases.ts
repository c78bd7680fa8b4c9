// How long each phase of a shutdown may take. The grace periods of k8s/ and docker-compose.yml are longer than their sum
// (infra/docker/src/shutdown-seconds.ts). A phase ends when its work is done, usually at once.
import type { Operation } from '@kiln/contracts';

export const CLOSE_DEADLINE_MS = 5_000;
/** Operators' commands may take longer. They can be repeated. */
const CALLS_MS_MAX = 120_000;
const CALLS_MS_MIN = 10_000;

/** How long accepted calls may take until they are answered. */
export const callsMs = (operations: readonly Pick<Operation, 'timeoutMs'>[]): number =>
  Math.min(CALLS_MS_MAX, Math.max(CALLS_MS_MIN, ...operations.map(({ timeoutMs }) => timeoutMs)));

/** Of a service that answers these operations. */
export const servicePhases = (operations: readonly Pick<Operation, 'timeoutMs'>[]) => ({
  announce: CLOSE_DEADLINE_MS,
  intake: callsMs(operations) + 2_000,
  workers: 8_000,
  outbox: CLOSE_DEADLINE_MS,
  bus: CLOSE_DEADLINE_MS,
  database: CLOSE_DEADLINE_MS,
  traces: CLOSE_DEADLINE_MS,
  health: CLOSE_DEADLINE_MS,
});

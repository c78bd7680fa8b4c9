// The readiness that callers may see: the process's own checks, and Redis, which is reported but not needed.
import type { HealthServer } from '@kiln/platform';
import type { Redis } from './limits/redis.js';
import type { Readiness } from './services.js';

/** Callers that ask at the same time share one round of checks: the endpoint is open to anyone. */
export function publicReadiness(health: Pick<HealthServer, 'readiness'>, redis: Pick<Redis, 'isReady'>) {
  let running: Promise<Readiness> | null = null;
  return (): Promise<Readiness> => {
    running ??= read(health, redis).finally(() => (running = null));
    return running;
  };
}

async function read(health: Pick<HealthServer, 'readiness'>, redis: Pick<Redis, 'isReady'>): Promise<Readiness> {
  const readiness = await health.readiness();
  return { ...readiness, checks: { ...readiness.checks, redis: redis.isReady ? 'ok' : 'away' } };
}

// The readiness shown to callers: the checks of the process, and Redis, which is reported but not required.
import type { HealthServer, Readiness } from '@kiln/platform';
import type { Redis } from '../redis/redis.adapter.js';

/** Concurrent requests share one round of checks, because the endpoint needs no credentials. */
export function publicReadiness(health: Pick<HealthServer, 'readiness'>, redis: Pick<Redis, 'isReady'>) {
  let running: Promise<Readiness> | null = null;
  const read = async (): Promise<Readiness> => {
    const readiness = await health.readiness();
    return { ...readiness, checks: { ...readiness.checks, redis: redis.isReady ? 'ok' : 'away' } };
  };
  return (): Promise<Readiness> => (running ??= read().finally(() => (running = null)));
}

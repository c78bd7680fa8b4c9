// The start of every process, Nest or not: configuration, logs, metrics, the health port, and an orderly shutdown.
import type { HealthConfig } from '../config/load-config.js';
import { loadTracingConfig } from '../config/tracing.config.js';
import { observeBuild } from '../observability/build-info.js';
import { HealthServer } from '../observability/health-server.js';
import { logWarnings } from '../observability/log-warnings.js';
import { createLogger, type Logger } from '../observability/logger.js';
import { Metrics } from '../observability/metrics.js';
import { startTracing } from '../observability/start-tracing.js';
import { announcePort } from './announce-port.js';
import { Shutdown } from './shutdown.js';

export interface StartedProcess<Config> {
  config: Config;
  logger: Logger;
  metrics: Metrics;
  health: HealthServer;
  shutdown: Shutdown;
}

export async function startProcess<Config extends HealthConfig & { readonly KILN_ROLE: string }>(
  service: string,
  loadConfig: () => Config,
): Promise<StartedProcess<Config>> {
  const config = loadConfig();
  const role = config.KILN_ROLE;
  const tracing = loadTracingConfig();
  const logger = createLogger({ service, role, level: config.KILN_LOG_LEVEL });
  logWarnings(logger);
  if (tracing !== null) await startTracing(tracing, { service, role, logger });
  const metrics = new Metrics(service, role);
  observeBuild(metrics, process.argv[1] ?? import.meta.filename);
  const health = new HealthServer({ host: config.KILN_HEALTH_HOST, port: config.KILN_HEALTH_PORT, metrics });
  const shutdown = new Shutdown(logger);
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unhandled rejection');
    process.exit(1);
  });
  announcePort('health', await health.listen());
  shutdown.listenForSignals();
  return { config, logger, metrics, health, shutdown };
}

/** Runs `main`. If it fails to start, prints one readable message and exits with code 1. */
export function startOrExit(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? `\n  because: ${error.cause.message}` : '';
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}${cause}\n`);
    process.exit(1);
  });
}

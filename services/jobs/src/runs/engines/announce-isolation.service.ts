// Says at start-up which isolation the readers of documents have, in /readyz and as a metric, and in the log where it is not the strongest that the
// process can have. Ends the start if it is too little.
import { ExtractionError, type Sandbox } from '@kiln/extraction';
import type { HealthServer, Logger, Metrics } from '@kiln/platform';

export interface IsolationAudience {
  health: Pick<HealthServer, 'setFact'>;
  logger: Pick<Logger, 'warn'>;
  metrics: Pick<Metrics, 'sampledGauge'>;
}

/** @throws Error that says what the operator can do. */
export async function announceIsolation(
  sandbox: Pick<Sandbox, 'checkIsolation'>,
  { health, logger, metrics }: IsolationAudience,
): Promise<void> {
  const { level, reason } = await sandbox.checkIsolation().catch((error: unknown) => {
    if (!(error instanceof ExtractionError)) throw error;
    throw new Error(
      `${error.message} Permit user namespaces, or set KILN_EXTRACTION_ISOLATION=preferred to read documents without them.`,
    );
  });
  health.setFact('extraction_isolation', level);
  metrics.sampledGauge('kiln_extraction_isolation', {
    help: 'Always 1; the label names the isolation of the readers of documents',
    labelNames: ['level'],
    read: async () => [{ labels: { level }, value: 1 }],
  });
  if (reason === null) return;
  health.setFact('extraction_isolation_reason', reason);
  const weakness =
    level === 'process_only'
      ? 'Documents are read in plain child processes: a document that takes over its reader can read what this process can'
      : 'Documents are read in namespaces, but under the user id of this process';
  logger.warn({ reason }, weakness);
}

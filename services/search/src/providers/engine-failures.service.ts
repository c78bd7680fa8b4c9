import { Metrics, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';

/** Counts and logs failed requests to providers, for operators. */
@Injectable()
export class EngineFailures {
  private readonly failures;

  constructor(
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.failures = metrics.counter(
      'kiln_engine_failures_total',
      'Requests to embedding and chat engines that failed, by engine and reason; a later engine may have done the work',
      ['engine', 'reason'],
    );
  }

  record(engine: string, error: Error & { code: string }): void {
    this.failures.add(1, { engine, reason: 'fault' in error ? String(error.fault) : error.code });
    this.logger.warn({ err: error, engine }, 'Request to an engine failed');
  }
}

// Compares totals regularly, one process at a time, and exports the result of the last pass. Every process exports the same numbers: aggregate
// them by max, never by sum.
import { Metrics, PollingLoop, RpcClient, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { ANALYTICS_CONFIG, type AnalyticsConfig } from '../config.js';
import { CompareTotals } from './compare-totals.usecase.js';
import { counters } from './drift.domain.js';
import { ReconciliationStore } from './reconciliation.store.js';

/** How often a process checks whether a pass is due. */
const POLL_MS = 30_000;

@Injectable()
export class ReconciliationWorker extends PollingLoop {
  constructor(
    private readonly store: ReconciliationStore,
    rpc: RpcClient,
    metrics: Metrics,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(ANALYTICS_CONFIG) { KILN_ANALYTICS_RECONCILE_SECONDS: intervalSeconds }: AnalyticsConfig,
  ) {
    const compare = new CompareTotals({ store, rpc, logger, intervalSeconds, isStopping: () => this.isStopping });
    const pollMs = Math.min(POLL_MS, intervalSeconds * 1_000);
    super({ name: 'reconciliation', pollMs, logger, round: () => compare.round().then(() => false) });
    this.show(metrics);
  }

  private show(metrics: Metrics): void {
    metrics.gauges(
      [
        {
          name: 'kiln_analytics_drift',
          help: 'Differences between the totals of analytics and the counts of the files and jobs services, over all tenants',
        },
        {
          name: 'kiln_analytics_reconciled_tenants',
          help: 'Tenants that the last pass has compared. Those that were busy are left out',
        },
        {
          name: 'kiln_analytics_reconciliation_age_seconds',
          help: 'Age of the last pass, which one process makes for all',
        },
      ],
      () => this.samples(),
    );
  }

  /** Exports nothing before the first pass, and while the database is unavailable. */
  private async samples() {
    try {
      const pass = await this.store.last();
      if (pass === null || pass.age_seconds === null) return {};
      const { drift, tenants, age_seconds: age } = pass;
      return {
        kiln_analytics_drift: counters.map((counter) => ({ labels: { counter }, value: drift[counter] ?? 0 })),
        kiln_analytics_reconciled_tenants: [{ labels: {}, value: tenants }],
        kiln_analytics_reconciliation_age_seconds: [{ labels: {}, value: age }],
      };
    } catch (error) {
      this.logger.warn({ err: error }, 'Reading the last reconciliation failed');
      return {};
    }
  }
}

// Writes the progress of the runs of this worker, in one statement at most once a second. The last report of a run is written by the
// statement that ends it.
import { CodedError } from '@kiln/contracts';
import { untraced, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { LeaseStore } from '../leases/lease.store.js';
import type { ActiveRun } from '../worker/active-run.service.js';
import { ProgressSignals, type SignallingRun } from './progress-signals.service.js';

type ReportingRun = Pick<ActiveRun, 'lease'> & SignallingRun;

const INTERVAL_MS = 1_000;

const isUnavailable = (error: unknown) => error instanceof CodedError && error.retryable;

@Injectable()
export class ProgressReports {
  private readonly changed = new Set<ReportingRun>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    @Inject(LeaseStore) private readonly leases: Pick<LeaseStore, 'report'>,
    @Inject(ProgressSignals) private readonly signals: Pick<ProgressSignals, 'note' | 'remove'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The run's report has changed. */
  note(run: ReportingRun): void {
    this.signals.note(run);
    this.changed.add(run);
    this.timer ??= untraced(() => setTimeout(() => void this.writeChanged(), INTERVAL_MS));
  }

  /** The run is ending: the statement that ends it writes its report. */
  remove(run: ReportingRun): void {
    this.signals.remove(run);
    this.changed.delete(run);
    if (this.changed.size === 0) this.stop();
  }

  async write(runs: readonly ReportingRun[]): Promise<void> {
    const reports = runs.flatMap(({ lease, report }) => (report ? [{ lease, report }] : []));
    if (reports.length > 0) await this.leases.report(reports);
  }

  stop(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
  }

  private async writeChanged(): Promise<void> {
    this.timer = null;
    const runs = [...this.changed];
    this.changed.clear();
    try {
      await this.write(runs);
    } catch (error) {
      if (isUnavailable(error) || runs.length === 1) this.failed(error);
      else await this.writeOneByOne(runs);
    }
  }

  /** The database refuses one of the reports, which must not cost the others theirs. */
  private async writeOneByOne(runs: readonly ReportingRun[]): Promise<void> {
    for (const run of runs) await this.write([run]).catch((error: unknown) => this.failed(error));
  }

  private failed(error: unknown): void {
    this.logger.warn({ err: error }, 'Writing progress failed; the next report includes it');
  }
}

// Runs the check of the files in status processing. Every process runs it; one of them claims each pass.
import { Metrics, PollingLoop, RpcClient, type Logger } from '@kiln/platform';
import { LOGGER } from '@kiln/platform/nest';
import { Inject, Injectable } from '@nestjs/common';
import { CheckProcessing } from './check-processing.usecase.js';
import { ProcessingCheckStore } from './processing-check.store.js';

const POLL_MS = 60_000;

@Injectable()
export class ProcessingCheckWorker extends PollingLoop {
  private readonly checking: CheckProcessing;
  private passedAt = 0;

  constructor(checks: ProcessingCheckStore, rpc: RpcClient, metrics: Metrics, @Inject(LOGGER) logger: Logger) {
    super({ name: 'Checking processing files', pollMs: POLL_MS, logger, round: () => this.round() });
    const repaired = metrics.counter(
      'kiln_files_processing_repaired_total',
      'Files that were processing without a live job, by the status they were given',
      ['status'],
    );
    metrics.gauge(
      'kiln_files_processing_check_passed_seconds',
      'When this process last finished a check of the files that are processing, as Unix time; 0 when it never has',
      () => this.passedAt,
    );
    this.checking = new CheckProcessing({
      checks,
      rpc,
      logger,
      onRepaired: (status) => repaired.add(1, { status }),
      isStopping: () => this.isStopping,
    });
  }

  private async round(): Promise<boolean> {
    if (await this.checking.round()) this.passedAt = Date.now() / 1_000;
    return false;
  }
}

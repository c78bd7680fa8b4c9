import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { ReconciliationStore } from './reconciliation.store.js';
import { ReconciliationWorker } from './reconciliation.worker.js';

/** Compares totals with the counts of their owners. */
@Module({ providers: [ReconciliationStore, ReconciliationWorker] })
export class ReconciliationModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly worker: ReconciliationWorker) {}

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}

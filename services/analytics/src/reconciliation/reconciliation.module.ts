import { Module } from '@nestjs/common';
import { ReconciliationStore } from './reconciliation.store.js';
import { ReconciliationWorker } from './reconciliation.worker.js';

/** Compares totals with the counts of their owners. */
@Module({ providers: [ReconciliationStore, ReconciliationWorker] })
export class ReconciliationModule {}

import { Module } from '@nestjs/common';
import { BatchStore } from './batch.store.js';
import { BatchesController } from './batches.controller.js';
import { ReadBatch } from './read-batch.usecase.js';

/** Files that were uploaded or processed together, and their progress. */
@Module({ controllers: [BatchesController], providers: [BatchStore, ReadBatch], exports: [BatchStore] })
export class BatchesModule {}

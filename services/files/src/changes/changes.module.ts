import { Module } from '@nestjs/common';
import { AnnounceChangesWorker } from './announce-changes.worker.js';
import { ChangedFileStore } from './changed-file.store.js';

/** Announces the states of changed files to other services. */
@Module({ providers: [ChangedFileStore, AnnounceChangesWorker] })
export class ChangesModule {}

import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { AnnounceChangesWorker } from './announce-changes.worker.js';
import { ChangedFileStore } from './changed-file.store.js';

/** Announces the states of changed files to other services. */
@Module({ providers: [ChangedFileStore, AnnounceChangesWorker] })
export class ChangesModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly worker: AnnounceChangesWorker) {}

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}

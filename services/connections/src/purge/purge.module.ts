import { Database, WakeUp } from '@kiln/platform';
import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { CONNECTION_DELETED } from '../wake-ups.events.js';
import { ConnectionPurgeStore } from './connection-purge.store.js';
import { dependentTables } from './dependent-tables.statements.js';
import { PurgeWorker } from './purge.worker.js';

const purges = {
  provide: ConnectionPurgeStore,
  inject: [Database],
  useFactory: (database: Database) => new ConnectionPurgeStore(database, dependentTables),
};

/** Part of the worker role: removes the rows of deleted connections. */
@Module({ providers: [purges, PurgeWorker] })
export class PurgeModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopListening = () => {};

  constructor(
    private readonly worker: PurgeWorker,
    private readonly wakeUp: WakeUp,
  ) {}

  onApplicationBootstrap(): void {
    this.worker.start();
    this.stopListening = this.wakeUp.listen(CONNECTION_DELETED, () => this.worker.wakeUp());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopListening();
    await this.worker.stop();
  }
}

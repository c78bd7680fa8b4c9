import { WakeUp } from '@kiln/platform';
import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConnectionsModule } from '../connections/connections.module.js';
import { SYNC_ENDED } from '../wake-ups.events.js';
import { ManageSyncs } from './manage-syncs.usecase.js';
import { NodeCompareStore } from './node-compare.store.js';
import { PreviewSync } from './preview-sync.usecase.js';
import { SyncWaiters } from './sync-waiters.service.js';
import { SyncEntity } from './sync.entity.js';
import { SyncStore } from './sync.store.js';

/** Syncs as their owner sees them: started, previewed, cancelled and read. */
@Module({
  imports: [TypeOrmModule.forFeature([SyncEntity]), ConnectionsModule],
  providers: [SyncStore, NodeCompareStore, SyncWaiters, ManageSyncs, PreviewSync],
  exports: [SyncStore, ManageSyncs, PreviewSync],
})
export class SyncsModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private stopListening = () => {};

  constructor(
    private readonly waiters: SyncWaiters,
    private readonly wakeUp: WakeUp,
  ) {}

  onApplicationBootstrap(): void {
    this.stopListening = this.wakeUp.listen(SYNC_ENDED, () => this.waiters.wakeUp());
  }

  beforeApplicationShutdown(): void {
    this.stopListening();
  }
}

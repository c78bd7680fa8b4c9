import { WakeUp } from '@kiln/platform';
import { Module } from '@nestjs/common';
import { BucketAccessModule } from '../connections/bucket-access.module.js';
import { SYNC_ENDED } from '../wake-ups.events.js';
import { ManageSyncs } from './manage-syncs.usecase.js';
import { NodeCompareStore } from './node-compare.store.js';
import { PreviewSync } from './preview-sync.usecase.js';
import { SyncWaiters } from './sync-waiters.service.js';
import { SyncStore } from './sync.store.js';
import { SyncsController } from './syncs.controller.js';

/** Syncs as their owner sees them: started, previewed, cancelled and read. */
@Module({
  imports: [BucketAccessModule],
  controllers: [SyncsController],
  providers: [SyncStore, NodeCompareStore, SyncWaiters, ManageSyncs, PreviewSync],
})
export class SyncsModule {
  constructor(waiters: SyncWaiters, wakeUp: WakeUp) {
    wakeUp.listen(SYNC_ENDED, () => waiters.wakeUp());
  }
}

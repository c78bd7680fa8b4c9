import { Module, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeletionModule } from '../deletion/deletion.module.js';
import { OrphanReport } from './orphan-report.service.js';
import { OrphanSearchEntity } from './orphan-search.entity.js';
import { OrphanSearchStore } from './orphan-search.store.js';
import { OrphanSearchWorker } from './orphan-search.worker.js';
import { OwnBucket } from './own-bucket.service.js';

/** Finds objects in the bucket that belong to no file. */
@Module({
  imports: [TypeOrmModule.forFeature([OrphanSearchEntity]), DeletionModule],
  providers: [OrphanSearchStore, OwnBucket, OrphanReport, OrphanSearchWorker],
})
export class OrphansModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(private readonly worker: OrphanSearchWorker) {}

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.worker.stop();
  }
}

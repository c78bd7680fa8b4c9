import { Module } from '@nestjs/common';
import { DeletionModule } from '../deletion/deletion.module.js';
import { PartUploadsModule } from '../parts/part-uploads.module.js';
import { OrphanReport } from './orphan-report.service.js';
import { OrphanSearchStore } from './orphan-search.store.js';
import { OrphanSearchWorker } from './orphan-search.worker.js';
import { OwnBucket } from './own-bucket.service.js';

/** Finds objects in the bucket that belong to no file. */
@Module({
  imports: [DeletionModule, PartUploadsModule],
  providers: [OrphanSearchStore, OwnBucket, OrphanReport, OrphanSearchWorker],
})
export class OrphansModule {}

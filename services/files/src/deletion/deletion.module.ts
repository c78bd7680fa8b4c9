import { Module } from '@nestjs/common';
import { EventBacklog } from '../event-backlog.store.js';
import { PartUploadsModule } from '../parts/part-uploads.module.js';
import { DeleteFiles } from './delete-files.usecase.js';
import { DeleteSpace } from './delete-space.usecase.js';
import { ObjectRemovalNotifier, SpaceDeletionNotifier } from './deletion-notifiers.service.js';
import { DeletionController } from './deletion.controller.js';
import { DeletionStore } from './deletion.store.js';
import { JobDeletion } from './job-deletion.adapter.js';
import { ObjectRemovalWorker } from './object-removal.worker.js';
import { RemovalMetrics } from './removal.metrics.js';
import { RemovalStore } from './removal.store.js';
import { RemoveObjects } from './remove-objects.usecase.js';
import { SpaceDeletionWorker } from './space-deletion.worker.js';

/** Deletes files and spaces, and removes their objects from storage. */
@Module({
  imports: [PartUploadsModule],
  controllers: [DeletionController],
  providers: [
    DeletionStore,
    RemovalStore,
    EventBacklog,
    RemovalMetrics,
    RemoveObjects,
    ObjectRemovalNotifier,
    SpaceDeletionNotifier,
    ObjectRemovalWorker,
    SpaceDeletionWorker,
    JobDeletion,
    DeleteFiles,
    DeleteSpace,
  ],
  exports: [DeletionStore, RemovalStore, ObjectRemovalNotifier, DeleteFiles],
})
export class DeletionModule {
  constructor(
    objects: ObjectRemovalWorker,
    spaces: SpaceDeletionWorker,
    objectNotifier: ObjectRemovalNotifier,
    spaceNotifier: SpaceDeletionNotifier,
  ) {
    objectNotifier.connect(objects);
    spaceNotifier.connect(spaces);
  }
}

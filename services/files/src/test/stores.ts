// Shared by the integration specs: the stores of the service.
import type { Database } from '@kiln/platform';
import { BatchStore } from '../batches/batch.store.js';
import { ConnectionRunStore } from '../connections/connection-run.store.js';
import { DeletionStore } from '../deletion/deletion.store.js';
import { RemovalStore } from '../deletion/removal.store.js';
import { EventBacklog } from '../event-backlog.store.js';
import { FileEntity } from '../files/file.entity.js';
import { FileStore } from '../files/file.store.js';
import { OrphanSearchStore } from '../orphans/orphan-search.store.js';
import { PartUploadStore } from '../parts/part-upload.store.js';
import { FileJobStore } from '../processing/file-job.store.js';
import { ReplacementStore } from '../replacements/replacement.store.js';
import { ConnectionFileEntity } from '../sources/connection-file.entity.js';
import { ConnectionFileStore } from '../sources/connection-file.store.js';
import { ArrivalStore } from '../uploads/arrival.store.js';
import { EndedUploadStore } from '../uploads/ended-upload.store.js';
import { NewFileStore } from '../uploads/new-file.store.js';
import { PendingUploadStore } from '../uploads/pending-upload.store.js';

export const SIGNED_URL_SECONDS = 3_600;

/** The stores, as the modules create them. */
export function storesOf(database: Database) {
  const batches = new BatchStore(database);
  const { dataSource } = database;
  return {
    files: new FileStore(database),
    newFiles: new NewFileStore(),
    arrivals: new ArrivalStore(database),
    fileJobs: new FileJobStore(batches),
    pendingUploads: new PendingUploadStore(database),
    endedUploads: new EndedUploadStore(database),
    batches,
    links: new ConnectionFileStore(
      dataSource.getRepository(ConnectionFileEntity),
      dataSource.getRepository(FileEntity),
    ),
    runs: new ConnectionRunStore(database),
    deletions: new DeletionStore(database, SIGNED_URL_SECONDS),
    removals: new RemovalStore(database),
    partUploads: new PartUploadStore(database),
    replacements: new ReplacementStore(database),
    orphanSearch: new OrphanSearchStore(database, database.dataSource.manager),
    backlog: new EventBacklog(database),
  };
}

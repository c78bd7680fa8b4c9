// The registration of files, and the announcement of their changes, without the rest of the service, for benches.
export { AnnounceChangesWorker } from './changes/announce-changes.worker.js';
export { ChangedFileStore } from './changes/changed-file.store.js';
export { FileStore } from './files/file.store.js';
export { RegisterFile } from './uploads/register-file.usecase.js';

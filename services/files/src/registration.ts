// The registration of files without the rest of the service, for benches.
export { FileStore } from './files/file.store.js';
export { RegisterFile } from './uploads/register-file.usecase.js';

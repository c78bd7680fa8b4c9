// How files are registered, without the service around it, for benches.
export { FileStore } from './store/file.store.js';
export { RegisterFile } from './usecases/register-file.usecase.js';

// What needs a file system: for Node, Bun and Deno.
export { fromPath } from './from-path.js';
export { uploadFolder } from './upload-folder.js';
export type { FolderFile, FolderUpload, FolderUploadOptions } from './upload-folder.js';

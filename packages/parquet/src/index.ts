export { ParquetError } from './parquet-error.js';
export { readLayout, type FileLayout } from './file-layout.js';
export type { ColumnShape } from './column-shape.js';
export type { ByteSource } from './byte-source.js';
export { readRows, type Batch, type Value } from './read-rows.js';

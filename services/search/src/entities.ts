// Every table of this service.
import { RunFenceEntity } from './cancellation/run-fence.entity.js';
import { FileRemovalEntity } from './deletion/file-removal.entity.js';
import { RemovedRangeEntity } from './text-index/removed-range.entity.js';
import { ChunkEntity } from './text-index/chunk.entity.js';
import { FileEntity } from './text-index/file.entity.js';
import { TailRowEntity } from './text-index/tail-row.entity.js';
import { TenantLanguageEntity } from './text-index/tenant-language.entity.js';
import { PostingBlockEntity } from './merging/posting-block.entity.js';
import { RemovedWindowEntity } from './merging/removed-window.entity.js';
import { TenantIndexEntity } from './merging/tenant-index.entity.js';
import { VectorFileEntity } from './vectors/vector-file.entity.js';
import { VectorPartEntity } from './vectors/vector-part.entity.js';
import { VectorSetEntity } from './vectors/vector-set.entity.js';
import { VectorTenantEntity } from './vectors/vector-tenant.entity.js';

export const entities = [
  FileEntity,
  ChunkEntity,
  TailRowEntity,
  TenantIndexEntity,
  TenantLanguageEntity,
  PostingBlockEntity,
  RemovedRangeEntity,
  RemovedWindowEntity,
  FileRemovalEntity,
  RunFenceEntity,
  VectorTenantEntity,
  VectorSetEntity,
  VectorFileEntity,
  VectorPartEntity,
];

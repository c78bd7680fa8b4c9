// Every table of this service.
import { RunFenceEntity } from './cancellation/run-fence.entity.js';
import { FileRemovalEntity } from './deletion/file-removal.entity.js';
import { RemovedRangeEntity } from './text-index/removed-range.entity.js';
import { ChunkEntity } from './text-index/chunk.entity.js';
import { FileEntity } from './text-index/file.entity.js';
import { TailPartEntity } from './text-index/tail-part.entity.js';
import { TenantLanguageEntity } from './text-index/tenant-language.entity.js';
import { PostingBlockEntity } from './merging/posting-block.entity.js';
import { CollectedWindowEntity } from './merging/collected-window.entity.js';
import { RemovedWindowEntity } from './merging/removed-window.entity.js';
import { TenantIndexEntity } from './merging/tenant-index.entity.js';
import { OpensearchFileEntity } from './opensearch/opensearch-file.entity.js';
import { OpensearchGenerationEntity } from './opensearch/opensearch-generation.entity.js';
import { OpensearchTenantEntity } from './opensearch/opensearch-tenant.entity.js';
import { OpensearchVectorCopyEntity } from './vectors/opensearch/opensearch-vector-copy.entity.js';
import { StagedVectorFileEntity } from './vectors/staged-vector-file.entity.js';
import { StagedVectorPartEntity } from './vectors/staged-vector-part.entity.js';
import { VectorFileEntity } from './vectors/vector-file.entity.js';
import { VectorPartEntity } from './vectors/vector-part.entity.js';
import { VectorSetEntity } from './vectors/vector-set.entity.js';
import { VectorGenerationEntity } from './vectors/vector-generation.entity.js';

export const entities = [
  FileEntity,
  ChunkEntity,
  TailPartEntity,
  TenantIndexEntity,
  TenantLanguageEntity,
  PostingBlockEntity,
  RemovedRangeEntity,
  RemovedWindowEntity,
  CollectedWindowEntity,
  FileRemovalEntity,
  RunFenceEntity,
  VectorGenerationEntity,
  VectorSetEntity,
  VectorFileEntity,
  VectorPartEntity,
  StagedVectorFileEntity,
  StagedVectorPartEntity,
  OpensearchGenerationEntity,
  OpensearchTenantEntity,
  OpensearchFileEntity,
  OpensearchVectorCopyEntity,
];

// Every table of this service.
import { BatchCountEntity } from './batches/batch-count.entity.js';
import { BatchFileEntity } from './batches/batch-file.entity.js';
import { BatchEntity } from './batches/batch.entity.js';
import { NodeSelectionEntity } from './connections/node-selection.entity.js';
import { RemovedNodeEntity } from './connections/removed-node.entity.js';
import { ConnectionRunEntity } from './connections/connection-run.entity.js';
import { ChangedFilesEntity } from './changes/changed-files.entity.js';
import { DeletedSpaceEntity } from './deletion/deleted-space.entity.js';
import { ObjectRemovalEntity } from './deletion/object-removal.entity.js';
import { FileNameEntity } from './files/file-name.entity.js';
import { FileEntity } from './files/file.entity.js';
import { OrphanCandidateEntity } from './orphans/orphan-candidate.entity.js';
import { OrphanSearchEntity } from './orphans/orphan-search.entity.js';
import { PartUploadEntity } from './parts/part-upload.entity.js';
import { ProcessingCheckEntity } from './processing/processing-check.entity.js';
import { ReplacementEntity } from './replacements/replacement.entity.js';
import { ConnectionFileEntity } from './sources/connection-file.entity.js';
import { SpaceCountEntity } from './spaces/space-count.entity.js';
import { SpaceEntity } from './spaces/space.entity.js';
import { EndedUploadEntity } from './uploads/ended-upload.entity.js';
import { PendingUploadEntity } from './uploads/pending-upload.entity.js';
import { VariantEntity } from './variants/variant.entity.js';

export const entities = [
  FileEntity,
  FileNameEntity,
  SpaceEntity,
  SpaceCountEntity,
  DeletedSpaceEntity,
  ObjectRemovalEntity,
  VariantEntity,
  PendingUploadEntity,
  EndedUploadEntity,
  PartUploadEntity,
  ReplacementEntity,
  BatchEntity,
  BatchFileEntity,
  BatchCountEntity,
  ConnectionFileEntity,
  ConnectionRunEntity,
  RemovedNodeEntity,
  NodeSelectionEntity,
  ProcessingCheckEntity,
  ChangedFilesEntity,
  OrphanSearchEntity,
  OrphanCandidateEntity,
];

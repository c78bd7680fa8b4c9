import type { MigrationClass } from '@kiln/platform';
import { CreateFiles1795251600000 } from './1795251600000-create-files.js';
import { AddFileUpdates1795996800000 } from './1795996800000-add-file-updates.js';
import { AddExternalIdIndex1795996860000 } from './1795996860000-add-external-id-index.js';
import { AddPartUploads1796169600000 } from './1796169600000-add-part-uploads.js';
import { AddReplacements1796256000000 } from './1796256000000-add-replacements.js';
import { AddSourceIndex1796256060000 } from './1796256060000-add-source-index.js';
import { AddRemovedNodes1796266800000 } from './1796266800000-add-removed-nodes.js';
import { AddNodeSelections1796300000000 } from './1796300000000-add-node-selections.js';
import { AddMovedNodes1796300060000 } from './1796300060000-add-moved-nodes.js';
import { AddCheckPosition1796600000000 } from './1796600000000-add-check-position.js';
import { AnalyzeFilesEarly1796600120000 } from './1796600120000-analyze-files-early.js';
import { ExpectLargeTenants1796860800000 } from './1796860800000-expect-large-tenants.js';
import { AddDueReplacementsIndex1797120000000 } from './1797120000000-add-due-replacements-index.js';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [
  CreateFiles1795251600000,
  AddFileUpdates1795996800000,
  AddExternalIdIndex1795996860000,
  AddPartUploads1796169600000,
  AddReplacements1796256000000,
  AddSourceIndex1796256060000,
  AddRemovedNodes1796266800000,
  AddNodeSelections1796300000000,
  AddMovedNodes1796300060000,
  AddCheckPosition1796600000000,
  AnalyzeFilesEarly1796600120000,
  ExpectLargeTenants1796860800000,
  AddDueReplacementsIndex1797120000000,
];

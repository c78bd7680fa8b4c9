import type { MigrationClass } from '@kiln/platform';
import { CreateTextIndex1795251600000 } from './1795251600000-create-text-index.js';
import { AddLines1795737600000 } from './1795737600000-add-lines.js';
import { AddStagedVectors1795910400000 } from './1795910400000-add-staged-vectors.js';
import { CollectDuringPurges1796310000000 } from './1796310000000-collect-during-purges.js';
import { AddOpensearch1796700000000 } from './1796700000000-add-opensearch.js';
import { ExpectLargeTenants1796860800000 } from './1796860800000-expect-large-tenants.js';
import { CopyVectorsToOpensearch1797033600000 } from './1797033600000-copy-vectors-to-opensearch.js';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [
  CreateTextIndex1795251600000,
  AddLines1795737600000,
  AddStagedVectors1795910400000,
  CollectDuringPurges1796310000000,
  AddOpensearch1796700000000,
  ExpectLargeTenants1796860800000,
  CopyVectorsToOpensearch1797033600000,
];

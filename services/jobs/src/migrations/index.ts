import type { MigrationClass } from '@kiln/platform';
import { CreateJobs1795251600000 } from './1795251600000-create-jobs.js';
import { AddAnswerInstructions1795737600000 } from './1795737600000-add-answer-instructions.js';
import { AddBatchIndex1795910400000 } from './1795910400000-add-batch-index.js';
import { AddFileEdits1795996800000 } from './1795996800000-add-file-edits.js';
import { OrderWaitingTenants1796860800000 } from './1796860800000-order-waiting-tenants.js';
import { ExpectLargeTenants1796860860000 } from './1796860860000-expect-large-tenants.js';
import { AddJobRetention1796947200000 } from './1796947200000-add-job-retention.js';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [
  CreateJobs1795251600000,
  AddAnswerInstructions1795737600000,
  AddBatchIndex1795910400000,
  AddFileEdits1795996800000,
  OrderWaitingTenants1796860800000,
  ExpectLargeTenants1796860860000,
  AddJobRetention1796947200000,
];

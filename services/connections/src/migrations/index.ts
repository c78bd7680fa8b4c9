import type { MigrationClass } from '@kiln/platform';
import { CreateConnections1795251600000 } from './1795251600000-create-connections.js';
import { AddSyncResumption1796200000000 } from './1796200000000-add-sync-resumption.js';
import { AddArchivedNodes1796200060000 } from './1796200060000-add-archived-nodes.js';
import { AddListingOrder1796200120000 } from './1796200120000-add-listing-order.js';
import { AddFilePolicies1796266800000 } from './1796266800000-add-file-policies.js';
import { AddSyncSchedules1796300000000 } from './1796300000000-add-sync-schedules.js';
import { AddAutomaticProcessing1796300060000 } from './1796300060000-add-automatic-processing.js';
import { AddRemovedNodes1796300120000 } from './1796300120000-add-removed-nodes.js';
import { AddUnlistedNodes1796400000000 } from './1796400000000-add-unlisted-nodes.js';
import { IndexNodesOfSyncs1796400060000 } from './1796400060000-index-nodes-of-syncs.js';
import { AddPlanLimits1796400120000 } from './1796400120000-add-plan-limits.js';
import { AddNotifications1796500000000 } from './1796500000000-add-notifications.js';
import { AddListingRanges1796800000000 } from './1796800000000-add-listing-ranges.js';
import { AddInventories1796800060000 } from './1796800060000-add-inventories.js';
import { PlanWithoutTenants1796800120000 } from './1796800120000-plan-without-tenants.js';

/** In the order in which they run. */
export const migrations: readonly MigrationClass[] = [
  CreateConnections1795251600000,
  AddSyncResumption1796200000000,
  AddArchivedNodes1796200060000,
  AddListingOrder1796200120000,
  AddFilePolicies1796266800000,
  AddSyncSchedules1796300000000,
  AddAutomaticProcessing1796300060000,
  AddRemovedNodes1796300120000,
  AddUnlistedNodes1796400000000,
  IndexNodesOfSyncs1796400060000,
  AddPlanLimits1796400120000,
  AddNotifications1796500000000,
  AddListingRanges1796800000000,
  AddInventories1796800060000,
  PlanWithoutTenants1796800120000,
];

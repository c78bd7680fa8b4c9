// Every table of this service.
import { PageReservationEntity } from './organization/pages/page-reservation.entity.js';
import { UsageEntryEntity } from './organization/pages/usage-entry.entity.js';
import { UsageTotalEntity } from './organization/pages/usage-total.entity.js';
import { ProviderKeyEntity } from './organization/provider-keys/provider-key.entity.js';
import { OrganizationSettingsEntity } from './organization/settings/organization-settings.entity.js';
import { WaitingTenantEntity } from './queue/claims/waiting-tenant.entity.js';
import { EngineEntity } from './queue/engines/engine.entity.js';
import { JobEntity } from './queue/jobs/job.entity.js';
import { JobAttemptEntity } from './queue/leases/job-attempt.entity.js';
import { QueueMeasureEntity } from './queue/metrics/queue-measure.entity.js';
import { RunTotalEntity } from './queue/metrics/run-total.entity.js';
import { DeletedFileEntity } from './queue/requests/deleted-file.entity.js';

export const entities = [
  JobEntity,
  WaitingTenantEntity,
  JobAttemptEntity,
  DeletedFileEntity,
  EngineEntity,
  QueueMeasureEntity,
  RunTotalEntity,
  OrganizationSettingsEntity,
  ProviderKeyEntity,
  UsageTotalEntity,
  UsageEntryEntity,
  PageReservationEntity,
];

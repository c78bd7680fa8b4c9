// Every table of this service.
import { PageReservationEntity } from './organization/pages/page-reservation.entity.js';
import { UsageEntryEntity } from './organization/pages/usage-entry.entity.js';
import { UsageTotalEntity } from './organization/pages/usage-total.entity.js';
import { ProviderKeyEntity } from './organization/provider-keys/provider-key.entity.js';
import { OrganizationSettingsEntity } from './organization/settings/organization-settings.entity.js';
import { WaitingTenantEntity } from './claims/waiting-tenant.entity.js';
import { EngineEntity } from './engines/engine.entity.js';
import { JobEntity } from './jobs/job.entity.js';
import { JobAttemptEntity } from './leases/job-attempt.entity.js';
import { QueueMeasureEntity } from './metrics/queue-measure.entity.js';
import { RunTotalEntity } from './metrics/run-total.entity.js';
import { DeletedFileEntity } from './requests/deleted-file.entity.js';
import { JobRetentionEntity } from './retention/job-retention.entity.js';
import { SupersededJobsEntity } from './retention/superseded-jobs.entity.js';

export const entities = [
  JobEntity,
  WaitingTenantEntity,
  JobAttemptEntity,
  DeletedFileEntity,
  JobRetentionEntity,
  SupersededJobsEntity,
  EngineEntity,
  QueueMeasureEntity,
  RunTotalEntity,
  OrganizationSettingsEntity,
  ProviderKeyEntity,
  UsageTotalEntity,
  UsageEntryEntity,
  PageReservationEntity,
];

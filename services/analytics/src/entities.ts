import type { EntityClass } from '@kiln/platform';
import { ConnectionFactEntity } from './facts/connection-fact.entity.js';
import { FileFactEntity } from './facts/file-fact.entity.js';
import { JobOutcomeEntity } from './facts/job-outcome.entity.js';
import { ReconciliationEntity } from './reconciliation/reconciliation.entity.js';
import { LoggedRequestEntity } from './requests/logged-request.entity.js';
import { ActivityEntity } from './rollups/activity.entity.js';
import { RunDurationEntity } from './rollups/run-duration.entity.js';
import { FailureReasonEntity } from './rollups/failure-reason.entity.js';
import { ProviderActivityEntity } from './rollups/provider-activity.entity.js';
import { SpaceTotalEntity } from './rollups/space-total.entity.js';
import { TenantTotalEntity } from './rollups/tenant-total.entity.js';
import { TypeTotalEntity } from './rollups/type-total.entity.js';

/** Every table of this service, beside those that all services have. */
export const entities: readonly EntityClass[] = [
  LoggedRequestEntity,
  FileFactEntity,
  JobOutcomeEntity,
  ConnectionFactEntity,
  TenantTotalEntity,
  SpaceTotalEntity,
  TypeTotalEntity,
  ActivityEntity,
  ProviderActivityEntity,
  RunDurationEntity,
  FailureReasonEntity,
  ReconciliationEntity,
];

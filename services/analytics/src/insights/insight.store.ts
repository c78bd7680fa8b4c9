// The data of the endpoints, each read from rollups by one statement. Failures are the newest rows of an index.
import { Database, statement, type Queryable } from '@kiln/platform';
import { BREAKDOWN_MAX } from '@kiln/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { JobOutcomeEntity } from '../facts/job-outcome.entity.js';
import type { FailureReasonEntity } from '../rollups/failure-reason.entity.js';
import type { SpaceTotalEntity } from '../rollups/space-total.entity.js';
import type { TenantTotalEntity } from '../rollups/tenant-total.entity.js';
import type { TypeTotalEntity } from '../rollups/type-total.entity.js';

const totals = statement(
  'insights.totals',
  `select uploading, uploaded, processing, completed, failed, size_bytes, jobs, variants, jobs_completed, jobs_failed, connections
   from tenant_totals where tenant_id = $1`,
);
const types = statement(
  'insights.types',
  `select content_type, files, size_bytes from type_totals where tenant_id = $1 and files > 0
   order by files desc, content_type desc limit ${BREAKDOWN_MAX}`,
);
const spaces = statement(
  'insights.spaces',
  `select space, files, completed, failed from space_totals where tenant_id = $1 and files > 0
   order by files desc, space desc limit ${BREAKDOWN_MAX}`,
);
const failures = statement(
  'insights.failures',
  `select job_id, file_id, filename, provider, reason, message, ended_at from job_outcomes
   where tenant_id = $1 and status = 'failed' and is_latest
   order by ended_at desc, job_id desc limit $2`,
);
const reasons = statement(
  'insights.reasons',
  `select reason, failures, last_seen from failure_reasons where tenant_id = $1 and failures > 0
   order by failures desc, last_seen desc, reason limit $2`,
);

export type Totals = Omit<TenantTotalEntity, 'tenant_id'>;
export type Failure = Pick<JobOutcomeEntity, 'job_id' | 'file_id' | 'provider' | 'ended_at'> & {
  filename: string;
  reason: NonNullable<JobOutcomeEntity['reason']>;
  message: string;
};

@Injectable()
export class InsightStore {
  constructor(@Inject(Database) private readonly database: Queryable) {}

  /** Null for a tenant of which no event has arrived. */
  async totals(tenantId: string): Promise<Totals | null> {
    const [row] = await this.database.query<Totals>(totals, [tenantId]);
    return row ?? null;
  }

  types(tenantId: string): Promise<Omit<TypeTotalEntity, 'tenant_id'>[]> {
    return this.database.query(types, [tenantId]);
  }

  spaces(tenantId: string): Promise<Omit<SpaceTotalEntity, 'tenant_id'>[]> {
    return this.database.query(spaces, [tenantId]);
  }

  /** Newest first. */
  failures(tenantId: string, limit: number): Promise<Failure[]> {
    return this.database.query(failures, [tenantId, limit]);
  }

  reasons(tenantId: string, limit: number): Promise<Omit<FailureReasonEntity, 'tenant_id'>[]> {
    return this.database.query(reasons, [tenantId, limit]);
  }
}

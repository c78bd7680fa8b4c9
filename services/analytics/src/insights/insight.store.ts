// What the endpoints show, each read from rollups by one query. Failures are the newest rows of an index.
import { BREAKDOWN_MAX } from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { EntityManager, MoreThan } from 'typeorm';
import { JobOutcomeEntity } from '../facts/job-outcome.entity.js';
import { FailureReasonEntity } from '../rollups/failure-reason.entity.js';
import { SpaceTotalEntity } from '../rollups/space-total.entity.js';
import { TenantTotalEntity } from '../rollups/tenant-total.entity.js';
import { TypeTotalEntity } from '../rollups/type-total.entity.js';

export type Totals = Omit<TenantTotalEntity, 'tenant_id'>;
export type Failure = Pick<JobOutcomeEntity, 'job_id' | 'file_id' | 'provider' | 'ended_at'> & {
  filename: string;
  reason: NonNullable<JobOutcomeEntity['reason']>;
  message: string;
};

@Injectable()
export class InsightStore {
  constructor(private readonly manager: EntityManager) {}

  /** Null for a tenant of which no event has arrived. */
  totals(tenantId: string): Promise<Totals | null> {
    return this.manager.findOneBy(TenantTotalEntity, { tenant_id: tenantId });
  }

  types(tenantId: string): Promise<TypeTotalEntity[]> {
    const order = { files: 'DESC', content_type: 'DESC' } as const;
    return this.manager.find(TypeTotalEntity, { where: withFiles(tenantId), order, take: BREAKDOWN_MAX });
  }

  spaces(tenantId: string): Promise<SpaceTotalEntity[]> {
    const order = { files: 'DESC', space: 'DESC' } as const;
    return this.manager.find(SpaceTotalEntity, { where: withFiles(tenantId), order, take: BREAKDOWN_MAX });
  }

  /** Newest first. */
  failures(tenantId: string, limit: number): Promise<Failure[]> {
    return this.manager.find(JobOutcomeEntity, {
      select: {
        job_id: true,
        file_id: true,
        filename: true,
        provider: true,
        reason: true,
        message: true,
        ended_at: true,
      },
      where: { tenant_id: tenantId, status: 'failed', is_latest: true },
      order: { ended_at: 'DESC', job_id: 'DESC' },
      take: limit,
    }) as Promise<Failure[]>;
  }

  reasons(tenantId: string, limit: number): Promise<FailureReasonEntity[]> {
    const where = { tenant_id: tenantId, failures: MoreThan(0) };
    return this.manager.find(FailureReasonEntity, {
      where,
      order: { failures: 'DESC', last_seen: 'DESC', reason: 'ASC' },
      take: limit,
    });
  }
}

const withFiles = (tenantId: string) => ({ tenant_id: tenantId, files: MoreThan(0) });

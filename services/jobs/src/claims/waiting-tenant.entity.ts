import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Lane } from './lane.domain.js';

/**
 * A tenant with queued jobs in a lane. Workers serve tenants round robin, so that a tenant with 10,000 jobs does not delay the first job of
 * another. A transaction that makes a job claimable inserts or updates the row of its tenant. A tenant without a due job is moved to the time
 * its next job is due, or removed.
 */
@Entity('waiting_tenants')
@Check('waiting_tenants_lane_check', `lane in ('text', 'sandbox')`)
@Index('waiting_tenants_round_robin', ['lane', 'served_at', 'tenant_id'])
// The index is on (lane || ''), due_at: only the look for the next due time reads it.
@Index('waiting_tenants_by_due', { synchronize: false })
export class WaitingTenantEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryColumn('text')
  lane!: Lane;

  @Column('timestamptz')
  due_at!: Date;

  /**
   * The tenant that was served longest ago comes first. One that joins counts as served a thousand years ago: entries that were removed then lie before it in
   * the index, where claims need not read them. A postponed one counts as served when it will be due.
   */
  @Column('timestamptz', { default: () => "(now() - '1000 years')" })
  served_at!: Date;
}

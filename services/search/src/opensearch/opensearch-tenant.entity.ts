import type { TextStore } from '@kiln/contracts';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { PassageTotals } from '../text-index/passage-totals.entity.js';

/** A tenant with files in OpenSearch, or whose store was chosen. The totals are those of all counted files of the tenant in OpenSearch. */
@Entity('opensearch_tenants')
@Check('opensearch_tenants_store_check', "store IN ('postgres', 'opensearch')")
export class OpensearchTenantEntity extends PassageTotals {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** Where merges move the tail. Null: to OpenSearch if it is configured. */
  @Column('text', { nullable: true })
  store!: TextStore | null;

  /** A process that merges the tenant holds a lease. It saves repeated work only: merges of two processes at once do no harm. */
  @Column({ type: 'timestamptz', precision: 3, default: () => "'-infinity'" })
  lease_expires_at!: Date;

  /** How many files are counted. */
  @Column('bigint', { default: 0 })
  files!: number;
}

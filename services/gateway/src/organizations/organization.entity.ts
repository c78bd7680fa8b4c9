import type { Branding } from '@kiln/contracts';
import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Plan } from './plan.domain.js';

/** A customer. It has two tenants, one for live keys and one for test keys. */
@Entity('organizations')
@Unique('organizations_live_tenant_id_key', ['live_tenant_id'])
@Unique('organizations_test_tenant_id_key', ['test_tenant_id'])
@Check('organizations_plan_check', `plan in ('free', 'pro', 'enterprise')`)
@Check('organizations_live_tenant_id_check', `substr(live_tenant_id::text, 15, 1) = '7'`)
@Check('organizations_check', `test_tenant_id = overlay(live_tenant_id::text placing '8' from 15 for 1)::uuid`)
export class OrganizationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  plan!: Plan;

  /**
   * The tenant of live keys. Other services know tenants only, not organizations. The version digit of a tenant's id is 7 for
   * live and 8 for test; the other digits of the two ids are the same (packages/contracts/src/core/mode.ts).
   */
  @Column('uuid')
  live_tenant_id!: string;

  /** The tenant of test keys. */
  @Column('uuid')
  test_tenant_id!: string;

  /** How the portal looks. A missing value is null. */
  @Column('jsonb', { default: {} })
  branding!: Partial<Branding>;

  /** The origins whose pages may show the portal in a frame. */
  @Column('text', { array: true, default: [] })
  frame_ancestors!: string[];

  @Column({ type: 'timestamptz', default: () => 'now()' })
  created_at!: Date;
}

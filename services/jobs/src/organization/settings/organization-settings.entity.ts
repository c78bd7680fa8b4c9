import type { Chunking, RoutingRule, SearchLanguage, VariantType } from '@kiln/contracts';
import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * The settings of an organization. They are stored under the tenant of live mode, and also apply to test mode. One row, so that one write
 * replaces all rules, and a new job finds everything in one look-up. A null column was never set.
 */
@Entity('organization_settings')
@Check('organization_settings_routing_rules_check', `jsonb_typeof(routing_rules) = 'array'`)
export class OrganizationSettingsEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @Column('text', { nullable: true })
  default_embedding_model!: string | null;

  @Column('jsonb', { nullable: true })
  default_chunking!: Chunking | null;

  @Column({ type: 'text', array: true, nullable: true })
  default_variants!: VariantType[] | null;

  @Column('text', { nullable: true })
  search_language!: SearchLanguage | null;

  /** What each answer of a chat model should be like. */
  @Column('text', { nullable: true })
  answer_instructions!: string | null;

  /** In the order in which the caller listed them. */
  @Column('jsonb', { default: [] })
  routing_rules!: RoutingRule[];

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  updated_at!: Date;
}

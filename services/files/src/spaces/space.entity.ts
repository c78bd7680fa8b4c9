import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn, Unique } from 'typeorm';

/**
 * A space of a tenant. Files name it by its id, so its name can be used again as soon as it is deleted. Most tenants have one
 * space. A planner that knows this considers both keys equally good to look up an id, but a tenant may have thousands. So the
 * statistics of `tenant_id` are set to ten spaces per tenant.
 */
@Entity('spaces')
@Unique('spaces_tenant_id_name_key', ['tenant_id', 'name'])
export class SpaceEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  name!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  created_at!: Date;
}

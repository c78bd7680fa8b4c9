import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When a worker last claimed a sync of the tenant. Tenants are served round robin by it, however many syncs each has. */
@Entity('served_tenants')
export class ServedTenantEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @Column('timestamptz')
  served_at!: Date;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When a worker last claimed a sync of the tenant, so that tenants are served round robin however many syncs each has. */
@Entity('sync_tenants')
export class SyncTenantEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  @Column('timestamptz')
  served_at!: Date;
}

import type { AnalyticsOutput } from '@kiln/contracts';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

type View = AnalyticsOutput<'listRequests'>['logs'][number];

/**
 * An entry of the request log, kept for 7 days. Partitioned into days by its id, a UUIDv7. A day is dropped as a whole. There is an
 * index for each filter; all of them end with the id, so that a page is read in its order.
 */
@Entity('logged_requests')
@Index('logged_requests_by_status', ['tenant_id', 'status', 'id'])
@Index('logged_requests_by_key', ['tenant_id', 'key_name', 'id'])
@Index('logged_requests_by_method', ['tenant_id', 'method', 'id'])
@Index('logged_requests_by_auth_type', ['tenant_id', 'auth_type', 'id'])
@Index('logged_requests_by_path', ['tenant_id', 'path', 'id'])
export class LoggedRequestEntity {
  @PrimaryColumn('uuid')
  tenant_id!: string;

  /** Made by the gateway when the request ended. */
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  request_id!: string;

  @Column('text')
  method!: string;

  /** The path without the query and without secrets. It is compared by bytes, so that a range of the index is a prefix. */
  @Column({ type: 'text', collation: 'C' })
  path!: string;

  @Column('smallint')
  status!: number;

  @Column('text')
  auth_type!: View['auth_type'];

  @Column('text')
  key_name!: string;

  @Column('real')
  duration_ms!: number;

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date;
}

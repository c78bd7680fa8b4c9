import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table staged_vector_files (
  tenant_id  uuid   not null,
  file_id    uuid   not null,
  model      text   not null,
  dimensions int    not null,
  job_number bigint not null,
  fence      bigint not null,
  facets     text[] not null,
  vectors    int,
  primary key (tenant_id, file_id, model, dimensions, job_number, fence),
  constraint staged_vector_files_tenant_id_file_id_fkey foreign key (tenant_id, file_id)
    references files (tenant_id, file_id) on delete cascade
);

create table staged_vector_parts (
  tenant_id   uuid   not null,
  file_id     uuid   not null,
  model       text   not null,
  dimensions  int    not null,
  job_number  bigint not null,
  fence       bigint not null,
  first_index int    not null check (first_index >= 0),
  vectors     bytea  not null,
  codes       bytea  not null,
  primary key (tenant_id, file_id, model, dimensions, job_number, fence, first_index),
  constraint staged_vector_parts_file_fkey foreign key (tenant_id, file_id, model, dimensions, job_number, fence)
    references staged_vector_files (tenant_id, file_id, model, dimensions, job_number, fence) on delete cascade
);
-- Vectors do not become smaller.
alter table staged_vector_parts alter column vectors set storage external, alter column codes set storage external;
`;

export class AddStagedVectors1795910400000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}

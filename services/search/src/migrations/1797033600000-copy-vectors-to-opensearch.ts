import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create sequence opensearch_vector_copy_numbers;

create table opensearch_vector_copies (
  tenant_id        uuid           not null,
  model            text           not null,
  dimensions       integer        not null,
  index_name       text           not null,
  number           bigint         not null default nextval('opensearch_vector_copy_numbers'),
  generation       bigint         not null default 0,
  writer           uuid,
  lease_expires_at timestamptz(3) not null default '-infinity',
  primary key (tenant_id, model, dimensions)
);
`;

export class CopyVectorsToOpensearch1797033600000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}

import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/**
 * The release before does not know `source_id`, so its search for orphans would take replacing bytes for orphans. The trigger keeps
 * them.
 */
const SCHEMA = `
alter table files add column source_id uuid;

create function keep_sources() returns trigger language plpgsql as $$
begin
  if exists (select from files where tenant_id = new.tenant_id and source_id = new.file_id) then return null; end if;
  return new;
end
$$;

create trigger removals_keep_sources before insert on object_removals
  for each row when (new.reason = 'orphaned') execute function keep_sources();
`;

export class AddFileSources1796256000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}

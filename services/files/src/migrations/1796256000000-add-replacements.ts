import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

/**
 * The release before does not know `source_id`, so its search for orphans would remove the bytes of replacements. The first trigger
 * rejects these removals. The second trigger queues the removal of the bytes when a pending replacement is deleted.
 */
const SCHEMA = `
alter table files add column source_id uuid;

create table replacements (
  tenant_id   uuid           not null,
  upload_id   uuid           not null,
  file_id     uuid           not null,
  upload      jsonb          not null,
  has_arrived boolean        not null default false,
  expires_at  timestamptz(3) not null,
  due_at      timestamptz(3) not null,
  checks      integer        not null default 0,
  primary key (tenant_id, upload_id),
  foreign key (tenant_id, file_id) references files on delete cascade
);
create index replacements_due on replacements (due_at);
create index replacements_by_file on replacements (tenant_id, file_id);

create function keep_replacing_bytes() returns trigger language plpgsql as $$
begin
  if exists (select from files where tenant_id = new.tenant_id and source_id = new.file_id)
    or exists (select from replacements where tenant_id = new.tenant_id and upload_id = new.file_id) then
    return null;
  end if;
  return new;
end
$$;

create trigger removals_keep_replacing_bytes before insert on object_removals
  for each row when (new.reason = 'orphaned') execute function keep_replacing_bytes();

create function remove_replacing_bytes() returns trigger language plpgsql as $$
begin
  if exists (select from files where tenant_id = old.tenant_id and source_id = old.upload_id) then return null; end if;
  insert into object_removals (tenant_id, file_id, reason, writable_until)
  values (old.tenant_id, old.upload_id, 'deleted', old.expires_at + interval '15 minutes')
  on conflict (tenant_id, file_id) do update
    set reason = 'deleted', due_at = now(), writable_until = excluded.writable_until, attempts = object_removals.attempts + 1;
  return null;
end
$$;

create trigger replacements_leave_no_bytes after delete on replacements
  for each row execute function remove_replacing_bytes();
`;

export class AddReplacements1796256000000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}

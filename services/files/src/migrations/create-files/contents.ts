/** SQL: the names, variants and uploads of files. */
export const CONTENTS = `
-- Returns each one, two and three characters of a name that follow each other, so that any substring can be looked up. Unlike
-- pg_trgm it does not depend on the server's locale, and supports substrings shorter than three characters.
create function name_grams(name text) returns text[] language plpgsql immutable strict parallel safe as $$
declare
  grams text[];
begin
  for at in 1 .. length(name) loop
    grams := grams || array[substr(name, at, 1), substr(name, at, 2), substr(name, at, 3)];
  end loop;
  return grams;
end
$$;

create table file_names (
  tenant_id uuid             not null,
  file_id   uuid             not null,
  name      text collate "C" not null,
  primary key (tenant_id, file_id),
  foreign key (tenant_id, file_id) references files on delete cascade
);
create index file_names_by_gram on file_names using gin (tenant_id, name_grams(name));

create table variants (
  tenant_id    uuid           not null,
  file_id      uuid           not null,
  type         text           not null,
  id           uuid           not null,
  job_id       uuid           not null,
  content_type text           not null,
  size_bytes   bigint         not null check (size_bytes >= 0),
  content      text check (length(content) <= 65536),
  content_key  text,
  provider     text           not null,
  created_at   timestamptz(3) not null default now(),
  primary key (tenant_id, file_id, type),
  foreign key (tenant_id, file_id) references files on delete cascade,
  check (num_nonnulls(content, content_key) = 1)
);

create table pending_uploads (
  tenant_id  uuid           not null,
  file_id    uuid           not null,
  expires_at timestamptz(3) not null,
  due_at     timestamptz(3) not null,
  checks     integer        not null default 0,
  primary key (tenant_id, file_id),
  foreign key (tenant_id, file_id) references files on delete cascade
);
create index pending_uploads_due on pending_uploads (due_at);
create index pending_uploads_of_tenant on pending_uploads (tenant_id, due_at);

create table ended_uploads (
  tenant_id uuid           not null,
  file_id   uuid           not null,
  due_at    timestamptz(3) not null,
  primary key (tenant_id, file_id),
  foreign key (tenant_id, file_id) references files on delete cascade
);
create index ended_uploads_due on ended_uploads (due_at);
`;

/** SQL: spaces, and the locks that order their creation and deletion. */
export const SPACES = `
create table spaces (
  tenant_id  uuid             not null,
  id         uuid             not null default gen_random_uuid(),
  name       text collate "C" not null,
  created_at timestamptz(3)   not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, name)
);
-- Most tenants have one space. A planner that knows this considers both keys equally good to look up an id; but a tenant may have
-- thousands. So the statistics say that a tenant has ten.
alter table spaces alter column tenant_id set (n_distinct = -0.1);

create table deleted_spaces (
  tenant_id uuid             not null,
  space_id  uuid             not null,
  name      text collate "C" not null,
  due_at    timestamptz      not null default now(),
  fence     integer          not null default 0,
  primary key (tenant_id, space_id)
);
create index deleted_spaces_due on deleted_spaces (due_at);

-- A transaction that adds files to a space holds this lock shared; one that deletes the space holds it exclusively. Row locks do not
-- suffice: a new shared row lock overtakes a transaction that waits for the exclusive one, so overlapping uploads could delay a
-- deletion for ever. Advisory locks are granted in the order of the requests, and write nothing.
create function space_lock(tenant uuid, name text) returns bigint language sql immutable parallel safe as $$
  select hashtextextended(tenant::text || ' ' || name, 0)
$$;

-- Returns the spaces with these names, and inserts missing ones. None of them can be deleted before the transaction ends. The function is
-- volatile, so each of its statements takes a new snapshot: it sees rows that were committed while an earlier statement waited for a lock.
create function hold_spaces(tenant uuid, names text[]) returns table (id uuid, name text) language plpgsql as $$
#variable_conflict use_column
begin
  -- Locks are taken in the order of names, so that two transactions cannot deadlock.
  perform pg_advisory_xact_lock_shared(space_lock(tenant, given.name))
  from (select unnest(names) as name order by 1) given;
  insert into spaces (tenant_id, name)
  select tenant, given.name from unnest(names) as given (name)
  where not exists (select from spaces s where s.tenant_id = tenant and s.name = given.name)
  order by 2
  on conflict do nothing;
  return query select s.id, s.name from spaces s where s.tenant_id = tenant and s.name = any(names);
end
$$;
`;

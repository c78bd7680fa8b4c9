-- kiln: additive
-- What Kiln knows of other people's buckets, and how it signs in to them.

create table connections (
  tenant_id   uuid           not null,
  id          uuid           not null,
  provider    text           not null,
  name        text           not null,
  bucket      text           not null,
  region      text,
  -- Only keys that start with it; empty: all.
  prefix      text           not null default '',
  -- Sealed JSON, and of what kind it is; null: none were given yet.
  credentials bytea,
  auth_type   text,
  status      text           not null default 'pending' check (status in ('pending', 'active', 'error')),
  -- Why the last test or sync failed.
  error_code  text,
  error       text,
  -- Counts changes of place and credentials, so that whoever holds the bucket open knows whether it is still the one.
  version     integer        not null default 1,
  created_at  timestamptz(3) not null default now(),
  updated_at  timestamptz(3) not null default now(),
  -- Seen by nobody from then on. The row goes when all that hangs on it is gone.
  deleted_at  timestamptz(3),
  primary key (tenant_id, id),
  check ((credentials is null) = (auth_type is null)),
  check ((error_code is null) = (error is null)),
  check (deleted_at is null or credentials is null)
);
create index connections_in_order on connections (tenant_id, created_at, id) where deleted_at is null;
create index connections_deleted on connections (deleted_at) where deleted_at is not null;

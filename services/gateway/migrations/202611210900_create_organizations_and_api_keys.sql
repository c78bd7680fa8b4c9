-- kiln: additive
create table organizations (
  id uuid primary key,
  name text not null,
  plan text not null check (plan in ('free', 'pro', 'enterprise')),
  -- The two data planes. Services know nothing of organizations, only one of these. The version digit of the id says which plane it
  -- is; the other digits of the two are the same (packages/contracts/src/core/mode.ts).
  live_tenant_id uuid not null unique check (substr(live_tenant_id::text, 15, 1) = '7'),
  test_tenant_id uuid not null unique,
  check (test_tenant_id = overlay(live_tenant_id::text placing '8' from 15 for 1)::uuid),
  created_at timestamptz not null default now()
);

create table api_keys (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  name text not null,
  -- SHA-256 of the value. The value has over 250 bits of entropy, so a slow hash would add cost and no safety.
  hash bytea not null unique check (octet_length(hash) = 32),
  prefix text not null,
  scopes text[] not null,
  mode text not null check (mode in ('live', 'test')),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);

create index api_keys_of_organization on api_keys (organization_id, created_at desc, id desc);

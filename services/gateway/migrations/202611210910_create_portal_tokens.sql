-- kiln: additive
create table portal_tokens (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  -- The data plane of the key that made it, and the one space of it that the token may read.
  tenant_id uuid not null,
  space text not null,
  -- SHA-256 of the value, for the reason given at api_keys.
  hash bytea not null unique check (octet_length(hash) = 32),
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);

-- For the sweep of those that are over.
create index portal_tokens_by_expiry on portal_tokens (expires_at);

-- kiln: additive
-- POST requests that came with an Idempotency-Key: under way (leased), or answered and kept for repeats.
create table idempotent_requests (
  tenant_id uuid not null,
  route text not null,
  -- SHA-256 of the key, which is not stored.
  key_hash bytea not null check (octet_length(key_hash) = 32),
  owner uuid not null,
  -- A request whose process died leaves its lease to run out.
  leased_until timestamptz not null,
  -- What was asked (a digest) and answered. Sealed: it may hold a secret that is shown once, such as a new API key.
  answer bytea,
  kept_until timestamptz,
  primary key (tenant_id, route, key_hash),
  check ((answer is null) = (kept_until is null))
);

create index idempotent_requests_by_end on idempotent_requests ((coalesce(kept_until, leased_until)));

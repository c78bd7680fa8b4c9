import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SCHEMA = `
create table organizations (
  id uuid primary key,
  name text not null,
  plan text not null check (plan in ('free', 'pro', 'enterprise')),
  live_tenant_id uuid not null unique check (substr(live_tenant_id::text, 15, 1) = '7'),
  test_tenant_id uuid not null unique,
  check (test_tenant_id = overlay(live_tenant_id::text placing '8' from 15 for 1)::uuid),
  created_at timestamptz not null default now()
);

create table api_keys (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  name text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  prefix text not null,
  scopes text[] not null,
  mode text not null check (mode in ('live', 'test')),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  of_operator boolean not null default false,
  created_at timestamptz not null default now()
);

create index api_keys_of_organization on api_keys (organization_id, id);

create index api_keys_by_end on api_keys (least(revoked_at, expires_at)) where not of_operator;

create table portal_tokens (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  tenant_id uuid not null,
  key_id uuid references api_keys (id) on delete cascade,
  space text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  prefix text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  unique (tenant_id, prefix)
);

create index portal_tokens_of_tenant on portal_tokens (tenant_id, id);

create index portal_tokens_of_key on portal_tokens (key_id);

create index portal_tokens_by_expiry on portal_tokens (expires_at);

-- One partition for each UTC day, which is dropped as a whole.
create table idempotent_requests (
  tenant_id uuid not null,
  route text not null,
  key_hash bytea not null check (octet_length(key_hash) = 32),
  day date not null,
  owner uuid not null,
  ids_seed uuid not null,
  leased_until timestamptz not null,
  answer bytea,
  kept_until timestamptz,
  primary key (tenant_id, route, key_hash, day),
  check ((answer is null) = (kept_until is null))
) partition by range (day);

-- The first five bytes name the encryption key.
create index idempotent_requests_by_encryption_key
  on idempotent_requests (substring(answer for 5), tenant_id, route, key_hash) where answer is not null;

create function idempotency_day() returns date language sql stable as $$ select (now() at time zone 'UTC')::date $$;

-- Gives the key to a request, unless another one runs or was answered. \`seed\` is null then. A row of an earlier day moves to this one,
-- with its new owner. A request that repeats one without an answer keeps its seed, unless that is older than \`oldest_seed\`.
create function claim_idempotency_key(
  of_tenant uuid, of_route text, of_key bytea, new_owner uuid, oldest_seed uuid, lease interval,
  out seed uuid, out kept_answer bytea
) language plpgsql as $$
declare
  today date := idempotency_day();
  known record;
begin
  -- Rows of different days have no unique index in common.
  perform pg_advisory_xact_lock(hashtextextended(of_tenant::text || of_route || encode(of_key, 'hex'), 0));
  select r.day, r.answer, r.ids_seed, r.leased_until < now() and coalesce(r.kept_until < now(), true) as is_over
  into known from idempotent_requests r
  where r.tenant_id = of_tenant and r.route = of_route and r.key_hash = of_key and r.day between today - 2 and today + 1
  for update;
  kept_answer := known.answer;
  if found and not known.is_over then return; end if;
  seed := case when known.answer is null and known.ids_seed > oldest_seed then known.ids_seed else new_owner end;
  delete from idempotent_requests r
  where r.tenant_id = of_tenant and r.route = of_route and r.key_hash = of_key and r.day = known.day;
  insert into idempotent_requests (tenant_id, route, key_hash, day, owner, ids_seed, leased_until)
  values (of_tenant, of_route, of_key, today, new_owner, seed, now() + lease);
end $$;
`;

export class CreateGateway1795251600000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}

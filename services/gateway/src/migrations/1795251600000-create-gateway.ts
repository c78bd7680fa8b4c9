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
  created_at timestamptz not null default now()
);

create index api_keys_of_organization on api_keys (organization_id, created_at desc, id desc);

create table portal_tokens (
  id uuid primary key,
  organization_id uuid not null references organizations (id),
  tenant_id uuid not null,
  key_id uuid references api_keys (id),
  space text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  prefix text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  unique (tenant_id, prefix)
);

create index portal_tokens_of_tenant on portal_tokens (tenant_id, id);

create index portal_tokens_by_expiry on portal_tokens (expires_at);

create table idempotent_requests (
  tenant_id uuid not null,
  route text not null,
  key_hash bytea not null check (octet_length(key_hash) = 32),
  owner uuid not null,
  ids_seed uuid not null,
  leased_until timestamptz not null,
  answer bytea,
  kept_until timestamptz,
  primary key (tenant_id, route, key_hash),
  check ((answer is null) = (kept_until is null))
);

create index idempotent_requests_by_end on idempotent_requests ((coalesce(kept_until, leased_until)));
`;

export class CreateGateway1795251600000 extends Migration {
  static readonly phase = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }
}

-- kiln: additive
-- What belongs to an organization itself lies under the tenant of its live plane, and holds for its test plane, too.

-- As packages/contracts/src/core/mode.ts reads it from the id; null for an id that is no tenant's.
create function mode_of_tenant(tenant_id uuid) returns text language sql immutable parallel safe
  return case substr(tenant_id::text, 15, 1) when '7' then 'live' when '8' then 'test' end;

-- One row, so that a change of all rules is one write, and a new job finds everything in one look-up. Null: never set.
create table organization_settings (
  tenant_id               uuid           primary key,
  default_embedding_model text,
  default_chunking        jsonb,
  default_variants        text[],
  -- Array of {content_type, provider}, in the order in which they were given.
  routing_rules           jsonb          not null default '[]' check (jsonb_typeof(routing_rules) = 'array'),
  updated_at              timestamptz(3) not null default now()
);

create table provider_keys (
  tenant_id  uuid           not null,
  provider   text           not null
               check (provider in ('document_extractor', 'image_extractor', 'audio_extractor', 'embedding', 'chat')),
  -- By packages/platform's Sealer; the row is its place.
  sealed     bytea          not null,
  preview    text           not null check (length(preview) <= 5),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, provider)
);

-- kiln: additive
-- What belongs to an organization itself lies under the tenant of its live plane, and holds for its test plane, too.

-- A tenant that is not here is a live one.
create table test_tenants (
  tenant_id      uuid           primary key,
  live_tenant_id uuid           not null,
  created_at     timestamptz(3) not null default now()
);

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

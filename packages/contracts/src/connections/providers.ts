// The supported storage providers and their authentication types.
import { z } from 'zod';

export const connectionAuthTypes = ['role_assumption', 'service_account', 'service_principal', 'access_key'] as const;
export type ConnectionAuthType = (typeof connectionAuthTypes)[number];

export interface StorageProvider {
  readonly name: string;
  /** The first is the default. */
  readonly authTypes: readonly [ConnectionAuthType, ...ConnectionAuthType[]];
  /** Base URL of an S3-compatible store, if it follows from the region. `{region}` is a placeholder. */
  readonly endpoint?: string;
  /** Where callers find the endpoint in the vendor's console. */
  readonly endpointExample?: string;
}

/** In display order. */
export const storageProviders = {
  s3: { name: 'Amazon S3', authTypes: ['role_assumption', 'access_key'] },
  gcs: { name: 'Google Cloud Storage', authTypes: ['service_account'] },
  container_blob: { name: 'Azure Blob Storage', authTypes: ['service_principal'] },
  r2: {
    name: 'Cloudflare R2',
    authTypes: ['access_key'],
    endpointExample: 'https://<account id>.r2.cloudflarestorage.com',
  },
  selfhost_s3: {
    name: 'MinIO and other S3-compatible stores',
    authTypes: ['access_key'],
    endpointExample: 'https://s3.example.com',
  },
  b2: { name: 'Backblaze B2', authTypes: ['access_key'], endpoint: 'https://s3.{region}.backblazeb2.com' },
  spaces_store: {
    name: 'DigitalOcean Spaces',
    authTypes: ['access_key'],
    endpoint: 'https://{region}.digitaloceanspaces.com',
  },
  hot_store: { name: 'Wasabi', authTypes: ['access_key'], endpoint: 'https://s3.{region}.wasabisys.com' },
  backend_storage: {
    name: 'Supabase Storage',
    authTypes: ['access_key'],
    endpointExample: 'https://<project>.storage.supabase.co/storage/v1/s3',
  },
} as const satisfies Record<string, StorageProvider>;

export type StorageProviderId = keyof typeof storageProviders;

export const storageProviderIds = Object.keys(storageProviders) as [StorageProviderId, ...StorageProviderId[]];

export const storageProviderOf = (id: StorageProviderId): StorageProvider => storageProviders[id];

export const storageProviderSchema = z
  .enum(storageProviderIds, { error: `must be one of ${storageProviderIds.join(', ')}` })
  .meta({ examples: ['s3'] });

export const authTypeSchema = z.enum(connectionAuthTypes);

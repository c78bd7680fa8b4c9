// Rows of connections, and how they look in the contract. The sealed column is opened elsewhere, by those who need it.
import {
  encodeId,
  formatTimestamp,
  type BucketErrorCode,
  type connectionsOperations,
  type OperationOutput,
  type StorageProviderId,
} from '@kiln/contracts';

export type ConnectionView = OperationOutput<(typeof connectionsOperations)['getConnection']>;

export interface ConnectionRow {
  tenant_id: string;
  id: string;
  provider: StorageProviderId;
  name: string;
  bucket: string;
  region: string | null;
  prefix: string;
  credentials: Buffer | null;
  auth_type: ConnectionView['auth_type'];
  status: ConnectionView['status'];
  error_code: BucketErrorCode | null;
  error: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

export const CONNECTION_COLUMNS = `tenant_id, id, provider, name, bucket, region, prefix, credentials, auth_type, status,
  error_code, error, version, created_at, updated_at`;

export function connectionView(row: ConnectionRow): ConnectionView {
  return {
    id: encodeId('connection', row.id),
    provider: row.provider,
    name: row.name,
    bucket: row.bucket,
    region: row.region,
    prefix: row.prefix === '' ? null : row.prefix,
    auth_type: row.auth_type,
    status: row.status,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error ?? '' },
    created_at: formatTimestamp(row.created_at),
    updated_at: formatTimestamp(row.updated_at),
  };
}

// Uploads in parts, by tenant and file.
import { Database, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { PartUploadEntity } from './part-upload.entity.js';

export type PartUploadRow = PartUploadEntity;

export interface StoreUpload {
  tenantId: string;
  fileId: string;
  storeUploadId: string;
}

const find = statement('part_uploads.find', 'select * from part_uploads where tenant_id = $1 and file_id = $2');
const insert = statement(
  'part_uploads.insert',
  `insert into part_uploads (tenant_id, file_id, size_bytes, part_bytes, expires_at)
   values ($1, $2, $3, $4, now() + make_interval(secs => $5)) on conflict do nothing`,
);
/** The first of two uploads that have begun stays. */
const begin = statement(
  'part_uploads.begin',
  `update part_uploads set store_upload_id = $3 where tenant_id = $1 and file_id = $2 and store_upload_id is null
   returning 1`,
);
const remove = statement('part_uploads.remove', 'delete from part_uploads where tenant_id = $1 and file_id = $2');
/** Set-based. */
const findKnown = statement(
  'part_uploads.find_known',
  `select p.store_upload_id from part_uploads p
   join unnest($1::uuid[], $2::uuid[], $3::text[]) as g (tenant_id, file_id, store_upload_id)
     on p.tenant_id = g.tenant_id and p.file_id = g.file_id and p.store_upload_id = g.store_upload_id
   where p.expires_at > now() - interval '1 day'`,
);

@Injectable()
export class PartUploadStore {
  constructor(private readonly database: Database) {}

  async find(tenantId: string, fileId: string): Promise<PartUploadRow | null> {
    const [row] = await this.database.query<PartUploadRow>(find, [tenantId, fileId]);
    return row ?? null;
  }

  async insert(
    transaction: Queryable,
    {
      tenant_id: tenantId,
      file_id: fileId,
      size_bytes: size,
      part_bytes: part,
    }: Omit<PartUploadRow, 'store_upload_id' | 'expires_at'>,
    expiresSeconds: number,
  ): Promise<void> {
    await transaction.query(insert, [tenantId, fileId, size, part, expiresSeconds]);
  }

  /** Returns false if the upload has begun already, or has ended. */
  async begin({ tenantId, fileId, storeUploadId }: StoreUpload): Promise<boolean> {
    return (await this.database.query(begin, [tenantId, fileId, storeUploadId])).length > 0;
  }

  async remove(tenantId: string, fileId: string): Promise<void> {
    await this.database.query(remove, [tenantId, fileId]);
  }

  /** Returns the ids of those that have a row, and have not expired long ago. */
  async findKnown(uploads: readonly StoreUpload[]): Promise<Set<string>> {
    const rows = await this.database.query<{ store_upload_id: string }>(findKnown, [
      uploads.map(({ tenantId }) => tenantId),
      uploads.map(({ fileId }) => fileId),
      uploads.map(({ storeUploadId }) => storeUploadId),
    ]);
    return new Set(rows.map((row) => row.store_upload_id));
  }
}

// Records the end of a direct upload: its bytes arrive, in time or late; its signed URL expires; or its bytes are refused. Each
// statement changes file, pending upload and removal together, and only while the file has the status that it expects.
import { Database, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { BYTES_UNSEEN, FILE_COLUMNS, IN_SPACE, type FileRow } from '../files/file.rows.js';
import { END_PENDING, LATE_PUT } from './end-pending.statement.js';

/** The storage's report of bytes that arrived by a signed URL. */
export interface Arrival {
  tenantId: string;
  fileId: string;
  sizeBytes: number;
  contentType: string;
  etag: string;
}

const arrive = statement(
  'files.arrive',
  `with ${END_PENDING}
   update files f set status = 'uploaded', size_bytes = $3, content_type = $4, source_etag = $5, updated_at = now()
   from spaces s where ${IN_SPACE} and f.tenant_id = $1 and f.id = $2 and f.status = 'uploading'
   returning ${FILE_COLUMNS}`,
);
const expire = statement(
  'files.expire',
  `with ${END_PENDING}
   update files f set status = 'failed', updated_at = now()
   from spaces s where ${IN_SPACE} and f.tenant_id = $1 and f.id = $2 and f.status = 'uploading'
   returning ${FILE_COLUMNS}`,
);
/** The signed URL stays valid for a while, so the bytes are removed once more when it has expired. */
const refuse = statement(
  'files.refuse_upload',
  `with pending as (
     delete from pending_uploads where tenant_id = $1 and file_id = $2 returning expires_at
   ), refused as (
     update files f set status = 'failed', updated_at = now()
     from spaces s where ${IN_SPACE} and f.tenant_id = $1 and f.id = $2 and f.status = 'uploading'
     returning ${FILE_COLUMNS}
   ), removal as (
     insert into object_removals (tenant_id, file_id, reason, writable_until)
     select tenant_id, id, 'too_large', (select expires_at + ${LATE_PUT} from pending) from refused on conflict do nothing
   )
   select * from refused`,
);
const removeTooLarge = statement(
  'files.remove_too_large',
  `insert into object_removals (tenant_id, file_id, reason)
   select $1, $2, 'too_large'
   where exists (select from files where tenant_id = $1 and id = $2)
     or exists (select from files where tenant_id = $1 and source_id = $2)
   on conflict do nothing returning 1`,
);
const arriveLate = statement(
  'files.arrive_late',
  `update files f set size_bytes = $3, content_type = $4, source_etag = $5, updated_at = now()
   from spaces s where ${IN_SPACE} and f.tenant_id = $1 and f.id = $2 and f.status = 'failed' and ${BYTES_UNSEEN}
   returning ${FILE_COLUMNS}`,
);

const arrivalValues = ({ tenantId, fileId, sizeBytes, contentType, etag }: Arrival) => [
  tenantId,
  fileId,
  sizeBytes,
  contentType,
  etag,
];

@Injectable()
export class ArrivalStore {
  constructor(private readonly database: Database) {}

  /** Sets the status to uploaded, with what storage reports. Returns null when the file was not uploading. */
  markArrived(transaction: Queryable, arrival: Arrival): Promise<FileRow | null> {
    return first(transaction, arrive, arrivalValues(arrival));
  }

  /** Records what storage reports about bytes that arrived after their upload had expired. Returns null when it had not. */
  markArrivedLate(arrival: Arrival): Promise<FileRow | null> {
    return first(this.database, arriveLate, arrivalValues(arrival));
  }

  /** Sets the status to failed. Returns null when the file was not uploading. */
  markExpired(transaction: Queryable, tenantId: string, fileId: string): Promise<FileRow | null> {
    return first(transaction, expire, [tenantId, fileId]);
  }

  /**
   * Requests the removal of bytes that came after the upload had ended. `fileId`: of the file, or of the upload that has replaced its
   * content. Returns false while another removal is queued for it.
   */
  async removeTooLarge(tenantId: string, fileId: string): Promise<boolean> {
    return (await this.database.query(removeTooLarge, [tenantId, fileId])).length > 0;
  }

  /** Sets the status to failed, and requests the removal of the bytes. Returns null when the file was not uploading. */
  markRefused(transaction: Queryable, tenantId: string, fileId: string): Promise<FileRow | null> {
    return first(transaction, refuse, [tenantId, fileId]);
  }
}

async function first(on: Queryable, ...[statement, values]: Parameters<Queryable['query']>): Promise<FileRow | null> {
  const [row] = await on.query<FileRow>(statement, values);
  return row ?? null;
}

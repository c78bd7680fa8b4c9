/** A PUT that began in time may end so long after its signed URL has expired. */
export const LATE_PUT = `interval '15 min'`;

/**
 * Ends the pending upload of a file, if it has one and `condition` holds. Its signed URL may accept other bytes, so it is checked once more
 * after that. $1 tenant, $2 file.
 */
export const endPendingIf = (condition: string) => `pending as (
     delete from pending_uploads where tenant_id = $1 and file_id = $2 and ${condition} returning tenant_id, file_id, expires_at
   ), ended as (
     insert into ended_uploads (tenant_id, file_id, due_at)
     select tenant_id, file_id, expires_at + ${LATE_PUT} from pending on conflict do nothing
   )`;
export const END_PENDING = endPendingIf('true');

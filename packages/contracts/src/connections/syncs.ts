// A sync lists a bucket and updates the nodes of its connection to match.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { timestampSchema } from '../core/timestamps.js';
import { planLimitsInput } from './schemas.js';

export const syncStatuses = ['pending', 'syncing', 'completed', 'failed', 'cancelled'] as const;
export const syncStatusSchema = z.enum(syncStatuses);

/** How long a request waits for the sync it started. */
export const SYNC_WAIT_MS = 10_000;

const count = z.int().min(0);
const instant = timestampSchema.nullable();

export const syncSchema = z.object({
  id: idSchema('sync'),
  status: syncStatusSchema,
  synced_count: count.meta({ description: 'The number of objects listed.' }),
  files_added: count,
  files_updated: count.meta({ description: 'The number of objects whose ETag or size has changed.' }),
  files_deleted: count,
  files_moved: count.optional().meta({
    description:
      'The number of objects found under another key, by ETag and size. Their nodes and files are kept, and they count neither as added nor as deleted.',
  }),
  files_queued: count.optional().meta({
    description:
      'The number of objects handed to automatic processing. An object whose file is up to date gets no new job.',
  }),
  files_excluded: count
    .optional()
    .meta({ description: 'The number of objects listed that the rules of the connection leave out.' }),
  skipped: count.meta({
    description:
      'The number of objects left out because their key is not text without NUL, is longer than 2,000 bytes, is deeper than 100 folders, contains a segment `.` or `..`, or ends in a slash although they have bytes, or because their size or time is invalid; and of archived objects, whose nodes say where in `archived_in`.',
  }),
  error: z.object({ code: z.string().max(64), message: z.string().max(1_000) }).nullable(),
  started_at: instant.meta({
    description: 'When the listing began. A sync that continues a failed one has the time of that one.',
  }),
  completed_at: instant,
});

export const syncListSchema = z.object({ syncs: z.array(syncSchema), next_cursor: nextCursorSchema });

export const syncPreviewSchema = z.object({
  new_files: count,
  updated_files: count,
  deleted_files: count.meta({ description: 'Zero if `complete` is false.' }),
  queued_files: count
    .optional()
    .meta({ description: 'The number of objects that a sync would hand to automatic processing.' }),
  excluded_files: count
    .optional()
    .meta({ description: 'The number of objects listed that the rules of the connection leave out.' }),
  total_size_bytes: count.meta({ description: 'The total size of the objects listed.' }),
  complete: z
    .boolean()
    .meta({ description: 'False if the bucket was too large to be listed within the time of the request.' }),
});

export const syncProgressSchema = z.object({
  status: syncStatusSchema.meta({ description: 'The status of the newest sync. `pending` before the first sync too.' }),
  synced: count,
  total: count
    .nullable()
    .meta({ description: 'The number of objects counted by the last complete sync. Null before the first.' }),
  percent: z.number().min(0).max(100),
  eta_seconds: count.nullable(),
  started_at: instant,
});

const ofConnection = z.object({ connection_id: idSchema('connection') });

/** Options of a sync. */
export const startSyncSchema = z.object({
  force: z
    .boolean()
    .default(false)
    .meta({ description: 'Remove nodes even if more than half of them are missing from the bucket.' }),
});

export const syncQuerySchema = z.object({ limit: limitSchema(50), cursor: cursorSchema });

export const syncsOperations = {
  /** Starts a sync and waits up to 10 s for its end. A repeat with the same id returns the same sync. */
  startSync: operation({
    subject: 'connections.startSync.v1',
    input: ofConnection.extend({
      ...startSyncSchema.shape,
      ...planLimitsInput,
      sync_id: idSchema('sync').meta({ description: 'made by the caller, so that a repeat is recognised' }),
    }),
    output: syncSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: SYNC_WAIT_MS + 3_000,
    idempotent: true,
  }),
  /** Cancels the pending or running sync. Committed nodes are kept. CONFLICT without such a sync. */
  cancelSync: operation({
    subject: 'connections.cancelSync.v1',
    input: ofConnection,
    output: syncSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: 3_000,
    idempotent: false,
  }),
  previewSync: operation({
    subject: 'connections.previewSync.v1',
    input: ofConnection,
    output: syncPreviewSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'BUCKET_UNAVAILABLE'],
    timeoutMs: 20_000,
    idempotent: true,
  }),
  getSyncProgress: operation({
    subject: 'connections.getSyncProgress.v1',
    input: ofConnection,
    output: syncProgressSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
  /** Newest first. */
  listSyncs: operation({
    subject: 'connections.listSyncs.v1',
    input: ofConnection.extend(syncQuerySchema.shape),
    output: syncListSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};

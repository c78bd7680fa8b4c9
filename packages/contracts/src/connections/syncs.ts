// Syncs: one walk through a bucket that makes the nodes of a connection what the bucket holds.
import { z } from 'zod';
import { idSchema } from '../core/ids.js';
import { operation } from '../core/operation.js';
import { cursorSchema, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { timestampSchema } from '../core/timestamps.js';

export const syncStatuses = ['pending', 'syncing', 'completed', 'failed', 'cancelled'] as const;
export const syncStatusSchema = z.enum(syncStatuses);

/** How long a request waits for a sync that it has started. */
export const SYNC_WAIT_MS = 10_000;

const count = z.int().min(0);
const instant = timestampSchema.nullable();

export const syncSchema = z.object({
  id: idSchema('sync'),
  status: syncStatusSchema,
  synced_count: count.meta({ description: 'objects that were listed' }),
  files_added: count,
  files_updated: count.meta({ description: 'objects with another ETag or size than before' }),
  files_deleted: count,
  skipped: count.meta({
    description:
      'objects that can not be kept: keys above 2,000 bytes or 100 folders deep, or NUL, a negative size or an impossible time',
  }),
  error: z.object({ code: z.string().max(64), message: z.string().max(1_000) }).nullable(),
  started_at: instant,
  completed_at: instant,
});

export const syncListSchema = z.object({ syncs: z.array(syncSchema), next_cursor: nextCursorSchema });

export const syncPreviewSchema = z.object({
  new_files: count,
  updated_files: count,
  deleted_files: count.meta({ description: '0 while not complete' }),
  total_size_bytes: count.meta({ description: 'of the objects that were listed' }),
  complete: z.boolean().meta({ description: 'false when the bucket was too large to be listed while you waited' }),
});

export const syncProgressSchema = z.object({
  status: syncStatusSchema.meta({ description: 'of the newest sync; pending as well before the first' }),
  synced: count,
  total: count.nullable().meta({ description: 'as the last complete sync has counted; null before the first' }),
  percent: z.number().min(0).max(100),
  eta_seconds: count.nullable(),
  started_at: instant,
});

const ofConnection = z.object({ connection_id: idSchema('connection') });

/** What a request may say when it starts a sync. */
export const startSyncSchema = z.object({
  force: z
    .boolean()
    .default(false)
    .meta({ description: 'removes nodes also when the bucket no longer lists more than half of them' }),
});

export const syncQuerySchema = z.object({ limit: limitSchema(50), cursor: cursorSchema });

export const syncsOperations = {
  /** Starts a sync and waits for its end, at most 10 s. Asked again with the same id it answers of the same sync. */
  startSync: operation({
    subject: 'connections.startSync.v1',
    input: ofConnection.extend({
      ...startSyncSchema.shape,
      sync_id: idSchema('sync').meta({ description: 'made by the caller, so that a repeat is recognised' }),
    }),
    output: syncSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
    timeoutMs: SYNC_WAIT_MS + 3_000,
    idempotent: true,
  }),
  /** Ends the sync that is pending or running. What it has committed stays; CONFLICT when there is none. */
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

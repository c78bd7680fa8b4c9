// Spaces: what lies in them, counted. A space exists from its first file until it is deleted.
import { z } from 'zod';
import { operation } from '../core/operation.js';
import { cursorSchema, LIMIT_MAX, limitSchema, nextCursorSchema } from '../core/pagination.js';
import { fileStatuses, spaceSchema } from './schemas.js';

/** The most spaces on one page: what a client gets that asks for no `limit`, since it may not know of paging. */
export const SPACES_PAGE_MAX = 1_000;

export const spaceListItemSchema = z.object({ space: z.string().max(64), file_count: z.int() });

export const spaceListQuerySchema = z.object({
  limit: limitSchema(LIMIT_MAX)
    .optional()
    .meta({ description: `1 to ${LIMIT_MAX}; without it a page holds up to ${SPACES_PAGE_MAX} spaces` }),
  cursor: cursorSchema,
});

const count = z.int().min(0);

export const spaceStatsSchema = z.object({
  space: z.string(),
  total_files: count,
  total_size_bytes: count.meta({ description: 'the sum of size_bytes over its files' }),
  status_counts: z.object(
    Object.fromEntries(fileStatuses.map((status) => [status, count])) as Record<
      (typeof fileStatuses)[number],
      typeof count
    >,
  ),
});

export const spacesOperations = {
  /** In the order of their names. */
  listSpaces: operation({
    subject: 'files.listSpaces.v1',
    input: spaceListQuerySchema,
    output: z.object({ spaces: z.array(spaceListItemSchema), next_cursor: nextCursorSchema }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  getSpaceStats: operation({
    subject: 'files.getSpaceStats.v1',
    input: z.object({ name: spaceSchema }),
    output: spaceStatsSchema,
    errors: ['NOT_FOUND'],
    timeoutMs: 3_000,
    idempotent: true,
  }),
};

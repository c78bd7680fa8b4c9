// Spaces and their counts. A space exists from its first file until it is deleted.
import { z } from 'zod';
import { operation } from '../core/operation.js';
import { cursorSchema, LIMIT_MAX, nextCursorSchema } from '../core/pagination.js';
import { queryNumberSchema } from '../core/query-numbers.js';
import { fileStatuses, spaceSchema } from './schemas.js';

/** The maximum page size, and the default: a client may not know of paging. */
export const SPACES_PAGE_MAX = 1_000;

export const spaceListItemSchema = z.object({ space: z.string().max(64), file_count: z.int() });

export const spaceListQuerySchema = z.object({
  limit: queryNumberSchema(1, LIMIT_MAX)
    .optional()
    .meta({
      description: `The number of spaces of a page, from 1 to ${LIMIT_MAX}. Without it, a page holds up to ${SPACES_PAGE_MAX} spaces.`,
      examples: [LIMIT_MAX],
    }),
  cursor: cursorSchema,
});

const count = z.int().min(0);

export const spaceStatsSchema = z.object({
  space: z.string(),
  total_files: count,
  total_size_bytes: count.meta({ description: 'The sum of `size_bytes` of its files.' }),
  status_counts: z.object(
    Object.fromEntries(fileStatuses.map((status) => [status, count])) as Record<
      (typeof fileStatuses)[number],
      typeof count
    >,
  ),
});

export const spacesOperations = {
  /** Ordered by name. */
  listSpaces: operation({
    subject: 'files.listSpaces.v1',
    input: spaceListQuerySchema,
    output: z.object({ spaces: z.array(spaceListItemSchema), next_cursor: nextCursorSchema }),
    errors: [],
    timeoutMs: 5_000,
    idempotent: true,
  }),
  /** All files of the tenant, for the reconciliation of derived numbers. */
  countFiles: operation({
    subject: 'files.countFiles.v1',
    input: z.object({}),
    output: spaceStatsSchema.omit({ space: true }),
    errors: [],
    timeoutMs: 10_000,
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

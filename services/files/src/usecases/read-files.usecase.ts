// Reading files: one with its variants, or a page of many.
import {
  decodeCursor,
  encodeId,
  filenameSchema,
  formatTimestamp,
  notFound,
  pageOf,
  uuidOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type filesOperations,
} from '@kiln/contracts';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { searchTermsOf } from '../domain/search-terms.js';
import type { ListQuery } from '../store/file-list.statements.js';
import { FileListStore, sortValue } from '../store/file-list.store.js';
import { fileSummary, type ListedFileRow } from '../store/file.rows.js';
import { FileWithVariantsStore } from '../store/file-with-variants.store.js';
import type { VariantRow } from '../store/variant.store.js';

type Ops = typeof filesOperations;

/** Sort value and file id. */
const timeCursor = z.tuple([z.iso.datetime().regex(/^[12]/), z.uuid()]);
const cursorSchemas = {
  created_at: timeCursor,
  updated_at: timeCursor,
  filename: z.tuple([filenameSchema, z.uuid()]),
  size_bytes: z.tuple([z.int(), z.uuid()]),
};

export function variantSummary(row: Pick<VariantRow, 'id' | 'type' | 'content_type' | 'size_bytes' | 'created_at'>) {
  return {
    id: encodeId('variant', row.id),
    type: row.type,
    content_type: row.content_type,
    size_bytes: row.size_bytes,
    created_at: formatTimestamp(row.created_at),
  };
}

/** Binds a cursor to the filters of its list, in however many words: a cursor would not grow with them. */
function filterDigest(filters: Pick<ListQuery, 'space' | 'status' | 'metadata' | 'search'>): string {
  const { space, status, metadata, search } = filters;
  if (!space && !status && !metadata && !search) return '';
  const pairs = Object.entries(metadata ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([space, status, pairs, search?.name, search?.words]);
  return `:${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}

export class ReadFiles {
  constructor(
    private readonly files: FileWithVariantsStore,
    private readonly lists: FileListStore,
  ) {}

  async get(
    { id }: OperationInput<Ops['getFile']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['getFile']>> {
    const file = await this.files.find(tenantId, uuidOf('file', id));
    if (!file) throw notFound('No file has this id.');
    const variants = file.variants.map((row) => variantSummary({ ...row, created_at: new Date(row.created_at) }));
    return { ...fileSummary(file), metadata: file.metadata, sha256: file.sha256, variants };
  }

  async list(
    input: OperationInput<Ops['listFiles']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['listFiles']>> {
    const { space, status, metadata, sort_by: sortBy, sort_order: sortOrder, limit } = input;
    const search = searchTermsOf(input.search ?? '') ?? undefined;
    const scope = `files:${tenantId}:${sortBy}:${sortOrder}${filterDigest({ space, status, metadata, search })}`;
    const after = input.cursor === undefined ? undefined : decodeCursor(scope, input.cursor, cursorSchemas[sortBy]);
    // One row more than asked for tells whether there is another page.
    const rows = await this.lists.list({
      tenantId,
      space,
      status,
      metadata,
      search,
      sortBy,
      sortOrder,
      after,
      limit: limit + 1,
    });
    const keyset = (row: ListedFileRow) => [sortValue(row, sortBy), row.id];
    const { items: files, next_cursor } = pageOf(rows, { limit, scope, view: fileSummary, keyset });
    return { files, next_cursor };
  }
}

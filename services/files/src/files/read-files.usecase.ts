// Reads one file with its variants, or a page of files, and reports which files exist.
import {
  decodeCursor,
  encodeId,
  filenameSchema,
  formatTimestamp,
  notFound,
  pageOf,
  uuidOf,
  type CallContext,
  type FileFilter,
  type FilesInput,
  type FilesOutput,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { variantSummary } from '../variants/variant.view.js';
import { nameTermsOf } from './name-terms.domain.js';
import { contentFilters, type ListQuery } from './file-list.statements.js';
import { FileListStore, sortValue } from './file-list.store.js';
import { FileWithVariantsStore } from './file-with-variants.store.js';
import { FileStore } from './file.store.js';
import { fileSummary, type ListedFileRow } from './file.rows.js';
import { FilteredList } from './filtered-list.service.js';
import { SearchList } from './search-list.service.js';

/** Sort value and file id, and the filters that have many matches. */
const cursorOf = <Value extends z.ZodType<string | number>>(value: Value) =>
  z.tuple([value, z.uuid()], z.enum(contentFilters));
const timeCursor = cursorOf(z.iso.datetime().regex(/^[12]/));
const cursorSchemas = {
  created_at: timeCursor,
  updated_at: timeCursor,
  filename: cursorOf(filenameSchema),
  size_bytes: cursorOf(z.int()),
};

function placeOf(
  scope: string,
  cursor: string | undefined,
  sortBy: ListQuery['sortBy'],
): Pick<ListQuery, 'after' | 'many'> {
  if (cursor === undefined) return {};
  const [value, id, ...many] = decodeCursor(scope, cursor, cursorSchemas[sortBy]);
  return { after: [value, id], many };
}

type Filters = Pick<ListQuery, 'space' | 'status' | 'metadata'> & { filter: FileFilter | undefined };

/** Binds a cursor to the filters of its list. A digest keeps the cursor short, however long the filters are. */
function filterDigest(filters: Filters, search: string | undefined): string {
  const { space, status, metadata, filter } = filters;
  if (!space && !status && !metadata && !filter && search === undefined) return '';
  const pairs = Object.entries(metadata ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify([space, status, pairs, search, filter]);
  return `:${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}

function filterOf({ external_id: externalId, filter }: FilesInput<'listFiles'>): FileFilter | undefined {
  if (externalId === undefined) return filter;
  const named = { external_id: { eq: externalId } };
  return filter ? { and: [named, filter] } : named;
}

@Injectable()
export class ReadFiles {
  constructor(
    private readonly filesWithVariants: FileWithVariantsStore,
    private readonly files: FileStore,
    private readonly lists: FileListStore,
    private readonly searchLists: SearchList,
    private readonly filteredLists: FilteredList,
  ) {}

  async get(
    { id, space, is_upload: isUpload }: FilesInput<'getFile'>,
    { tenantId }: CallContext,
  ): Promise<FilesOutput<'getFile'>> {
    const fileId = uuidOf('file', id);
    const byUpload = isUpload ? await this.files.findByUpload(tenantId, fileId) : null;
    const file = await this.filesWithVariants.find(tenantId, byUpload ?? fileId);
    if (!file || (space !== undefined && file.space !== space)) throw notFound('No file has this id.');
    const variants = file.variants.map((row) => variantSummary({ ...row, created_at: new Date(row.created_at) }));
    return { ...fileSummary(file), metadata: file.metadata, sha256: file.sha256, variants };
  }

  async findExisting(
    { file_ids: ids, details, filter }: FilesInput<'findExistingFiles'>,
    { tenantId }: CallContext,
  ): Promise<FilesOutput<'findExistingFiles'>> {
    const given = ids.map((id) => uuidOf('file', id));
    const fileIds = filter ? await this.files.findPassing(tenantId, given, filter) : given;
    if (details === undefined) {
      const existing = filter ? fileIds : await this.files.findExisting(tenantId, fileIds);
      return { file_ids: existing.map((id) => encodeId('file', id)) };
    }
    const rows = await this.files.findDetails(tenantId, fileIds, details.metadata_bytes_max);
    const files = rows.map(({ id, created_at: createdAt, ...row }) => ({
      file_id: encodeId('file', id),
      ...row,
      created_at: formatTimestamp(createdAt),
    }));
    return { file_ids: files.map(({ file_id }) => file_id), files };
  }

  async list(input: FilesInput<'listFiles'>, context: CallContext): Promise<FilesOutput<'listFiles'>> {
    const { tenantId } = context;
    const { space, status, metadata, sort_by: sortBy, sort_order: sortOrder, limit } = input;
    const filter = filterOf(input);
    const names = nameTermsOf(input.search ?? '');
    const scope = `files:${tenantId}:${sortBy}:${sortOrder}${filterDigest({ space, status, metadata, filter }, names?.name)}`;
    const place = placeOf(scope, input.cursor, sortBy);
    // One row more than requested shows whether there is another page.
    const query = { tenantId, space, status, metadata, sortBy, sortOrder, ...place, limit: limit + 1 };
    const list = (part: ListQuery) =>
      names ? this.searchLists.list(part, { text: input.search ?? '', names }, context) : this.lists.list(part);
    const found = await (filter
      ? this.filteredLists.list(query, filter, { isSearched: names !== null, list })
      : list(query));
    const keyset = (row: ListedFileRow) => [sortValue(row, sortBy), row.id, ...found.many];
    const stoppedAfter = found.after && [...found.after, ...found.many];
    const options = { limit, scope, view: fileSummary, keyset, stoppedAfter };
    const { items: files, next_cursor } = pageOf(found.files, options);
    return { files, next_cursor };
  }
}

// Reads a page of spaces with their numbers of files, or the counts of one space.
import {
  decodeCursor,
  fileStatuses,
  notFound,
  spaceSchema,
  SPACES_PAGE_MAX,
  pageOf,
  type CallContext,
  type FilesInput,
  type FilesOutput,
} from '@kiln/contracts';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { SpaceStore, type SpaceCounts } from './space.store.js';

const cursorValues = z.tuple([spaceSchema]);

@Injectable()
export class ReadSpaces {
  constructor(private readonly spaces: SpaceStore) {}

  async list(
    { limit = SPACES_PAGE_MAX, cursor }: FilesInput<'listSpaces'>,
    { tenantId }: CallContext,
  ): Promise<FilesOutput<'listSpaces'>> {
    const scope = `spaces:${tenantId}`;
    const [after] = cursor === undefined ? [''] : decodeCursor(scope, cursor, cursorValues);
    // One row more than requested shows whether there is another page.
    const rows = await this.spaces.list(tenantId, after, limit + 1);
    const { items: spaces, next_cursor } = pageOf(rows, {
      limit,
      scope,
      view: ({ name, files }) => ({ space: name, file_count: files }),
      keyset: ({ name }) => [name],
    });
    return { spaces, next_cursor };
  }

  async stats({ name }: FilesInput<'getSpaceStats'>, { tenantId }: CallContext): Promise<FilesOutput<'getSpaceStats'>> {
    const counts = await this.spaces.stats(tenantId, name);
    if (!counts) throw notFound('No space has this name.');
    return { space: name, ...statsOf(counts) };
  }

  /** Returns the counts of all spaces together. */
  async total({ tenantId }: CallContext): Promise<FilesOutput<'countFiles'>> {
    return statsOf(await this.spaces.total(tenantId));
  }
}

const statsOf = ({ size_bytes, ...status_counts }: SpaceCounts) => ({
  total_files: fileStatuses.reduce((total, status) => total + status_counts[status], 0),
  total_size_bytes: size_bytes,
  status_counts,
});

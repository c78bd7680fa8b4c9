// Reading spaces: a page of them with their number of files, or the counts of one.
import {
  decodeCursor,
  fileStatuses,
  notFound,
  spaceSchema,
  SPACES_PAGE_MAX,
  pageOf,
  type CallContext,
  type OperationInput,
  type OperationOutput,
  type filesOperations,
} from '@kiln/contracts';
import { z } from 'zod';
import { SpaceStore } from '../store/space.store.js';

type Ops = typeof filesOperations;
type Stats = OperationOutput<Ops['getSpaceStats']>;

const cursorValues = z.tuple([spaceSchema]);

export class ReadSpaces {
  constructor(private readonly spaces: SpaceStore) {}

  async list(
    { limit = SPACES_PAGE_MAX, cursor }: OperationInput<Ops['listSpaces']>,
    { tenantId }: CallContext,
  ): Promise<OperationOutput<Ops['listSpaces']>> {
    const scope = `spaces:${tenantId}`;
    const [after] = cursor === undefined ? [''] : decodeCursor(scope, cursor, cursorValues);
    // One row more than asked for tells whether there is another page.
    const rows = await this.spaces.list(tenantId, after, limit + 1);
    const { items: spaces, next_cursor } = pageOf(rows, {
      limit,
      scope,
      view: ({ name, files }) => ({ space: name, file_count: files }),
      keyset: ({ name }) => [name],
    });
    return { spaces, next_cursor };
  }

  async stats({ name }: OperationInput<Ops['getSpaceStats']>, { tenantId }: CallContext): Promise<Stats> {
    const rows = await this.spaces.stats(tenantId, name);
    if (rows.length === 0) throw notFound('No space has this name.');
    const counts = new Map(rows.map((row) => [row.status, row]));
    const filesOf = (status: string) => counts.get(status)?.files ?? 0;
    return {
      space: name,
      total_files: fileStatuses.reduce((total, status) => total + filesOf(status), 0),
      total_size_bytes: rows.reduce((total, row) => total + (row.size_bytes ?? 0), 0),
      status_counts: Object.fromEntries(
        fileStatuses.map((status) => [status, filesOf(status)]),
      ) as Stats['status_counts'],
    };
  }
}

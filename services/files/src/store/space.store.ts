// Spaces and what lies in them, from counts that the database keeps with every change of a file.
import { statement, type Queryable } from '@kiln/platform';

export interface SpaceRow {
  name: string;
  files: number;
}

/** The page is cut before the counts are read, so that it costs its own spaces only. */
const list = statement(
  'spaces.list',
  `select s.name, (select coalesce(sum(c.files), 0)::bigint from space_counts c
                   where c.tenant_id = $1 and c.space = s.name) as files
   from (select name from spaces where tenant_id = $1 and name > $2 order by name limit $3) s
   order by s.name`,
);
const stats = statement(
  'spaces.stats',
  `select s.name, c.status, c.files, c.size_bytes
   from spaces s left join (
     select status, sum(files)::bigint as files, sum(size_bytes)::bigint as size_bytes
     from space_counts where tenant_id = $1 and space = $2 group by status
   ) c on true
   where s.tenant_id = $1 and s.name = $2`,
);

/** The counts of one status; null when the space has never had a file of any. */
export interface SpaceCountRow {
  status: string | null;
  files: number | null;
  size_bytes: number | null;
}

export class SpaceStore {
  constructor(private readonly database: Queryable) {}

  /** Up to `limit` spaces whose names come after `after`, in the order of their names. */
  list(tenantId: string, after: string, limit: number): Promise<SpaceRow[]> {
    return this.database.query<SpaceRow>(list, [tenantId, after, limit]);
  }

  /** One row per status; none when there is no such space. */
  stats(tenantId: string, name: string): Promise<SpaceCountRow[]> {
    return this.database.query<SpaceCountRow>(stats, [tenantId, name]);
  }
}

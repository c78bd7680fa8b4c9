// Reads spaces and their counts, which the database maintains with every change of a file.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { SpaceCountEntity } from './space-count.entity.js';

export interface SpaceRow {
  name: string;
  files: number;
}

/** The number of files by status, and their bytes. */
export type SpaceCounts = Omit<SpaceCountEntity, 'tenant_id' | 'space_id' | 'slot'>;

const FILES = 'c.uploading + c.uploaded + c.processing + c.completed + c.failed';
/** A keyset page. It selects the page before it reads counts, so that it sums only the counts of its own spaces. */
const list = statement(
  'spaces.list',
  `select s.name, (select coalesce(sum(${FILES}), 0)::bigint from space_counts c
                   where c.tenant_id = $1 and c.space_id = s.id) as files
   from (select id, name from spaces where tenant_id = $1 and name > $2 order by name limit $3) s
   order by s.name`,
);
const sumOf = (column: keyof SpaceCounts) => `coalesce(sum(c.${column}), 0)::bigint as ${column}`;
const SUMS = (['uploading', 'uploaded', 'processing', 'completed', 'failed', 'size_bytes'] as const)
  .map(sumOf)
  .join(', ');
/** Sums a rollup. */
const stats = statement(
  'spaces.stats',
  `select ${SUMS}
   from spaces s left join space_counts c on c.tenant_id = s.tenant_id and c.space_id = s.id
   where s.tenant_id = $1 and s.name = $2 group by s.id`,
);

/** Sums a rollup. */
const total = statement(
  'spaces.total',
  `select ${SUMS}
   from spaces s join space_counts c on c.tenant_id = s.tenant_id and c.space_id = s.id where s.tenant_id = $1`,
);

@Injectable()
export class SpaceStore {
  constructor(private readonly database: Database) {}

  /** Returns up to `limit` spaces whose names follow `after`, in the order of their names. */
  list(tenantId: string, after: string, limit: number): Promise<SpaceRow[]> {
    return this.database.query<SpaceRow>(list, [tenantId, after, limit]);
  }

  /** Null when the space does not exist. */
  async stats(tenantId: string, name: string): Promise<SpaceCounts | null> {
    const [row] = await this.database.query<SpaceCounts>(stats, [tenantId, name]);
    return row ?? null;
  }

  /** Sums the counts of all spaces. */
  async total(tenantId: string): Promise<SpaceCounts> {
    const [row] = await this.database.query<SpaceCounts>(total, [tenantId]);
    if (!row) throw new Error('an aggregate has a row');
    return row;
  }
}

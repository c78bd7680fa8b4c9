// Compares a page of a listing with the stored nodes.
import type { RuleName } from '@kiln/contracts';
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { ConnectionEntity } from '../connections/connection.entity.js';
import type { ListedObject } from '../nodes/listed-nodes.domain.js';
import { NodeEntity } from '../nodes/node.entity.js';
import { versionOf } from '../nodes/object-version.statement.js';

/**
 * Set-based: each object of the page with its node. The order of the lateral join forces the index of the paths: Postgres may expect few nodes
 * of the connection, and would read all in a plain join. `$6` says which objects the rules select, `$7` whether changed ones are
 * selected again.
 */
const compare = statement(
  'node_compare.compare',
  `select count(n.id)::int as stored,
     count(n.id) filter (where n.etag is distinct from g.etag or n.size_bytes is distinct from g.size_bytes)::int as changed,
     count(*) filter (where g.is_selected
       and (n.selected_version is null or ($7::boolean and n.selected_version <> ${versionOf('g')})))::int as selected
   from unnest($3::text[], $4::bigint[], $5::text[], $6::boolean[]) as g (path, size_bytes, etag, is_selected)
     left join lateral (
       select id, etag, size_bytes, selected_version from nodes
       where tenant_id = $1 and connection_id = $2 and path >= g.path and path <= g.path order by path limit 1
     ) n on true`,
);

type Compared = Record<'stored' | 'changed' | 'selected', number>;

@Injectable()
export class NodeCompareStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(NodeEntity) private readonly nodes: Repository<NodeEntity>,
  ) {}

  /**
   * How many of the objects are stored as nodes, how many of these have another ETag or size, and how many objects a sync would select for
   * automatic processing.
   */
  async compare(
    { tenant_id, id, on_change }: Pick<ConnectionEntity, 'tenant_id' | 'id' | 'on_change'>,
    objects: readonly ListedObject[],
    excluded: ReadonlyMap<string, RuleName>,
  ): Promise<Compared> {
    const columns = [
      objects.map(({ key }) => key),
      objects.map(({ sizeBytes }) => sizeBytes),
      objects.map(({ etag }) => etag),
      objects.map(({ key, archivedIn }) => !excluded.has(key) && archivedIn === undefined),
    ];
    const values = [tenant_id, id, ...columns, on_change === 'reprocess'];
    const [row] = await this.database.query<Compared>(compare, values);
    return row ?? { stored: 0, changed: 0, selected: 0 };
  }

  countFiles(tenantId: string, connectionId: string): Promise<number> {
    return this.nodes.countBy({ tenant_id: tenantId, connection_id: connectionId, is_file: true });
  }
}

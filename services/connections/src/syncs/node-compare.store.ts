// Compares a page of a listing with the stored nodes.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { ListedObject } from '../nodes/listed-nodes.domain.js';
import { NodeEntity } from '../nodes/node.entity.js';

/** Set-based: a join of the page with the nodes. */
const compare = statement(
  'node_compare.compare',
  `select count(*)::int as stored,
     count(*) filter (where n.etag is distinct from g.etag or n.size_bytes is distinct from g.size_bytes)::int as changed
   from unnest($3::text[], $4::bigint[], $5::text[]) as g (path, size_bytes, etag)
     join nodes n on n.tenant_id = $1 and n.connection_id = $2 and n.path = g.path`,
);

@Injectable()
export class NodeCompareStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(NodeEntity) private readonly nodes: Repository<NodeEntity>,
  ) {}

  /** How many of the objects are stored as nodes, and how many of these have another ETag or size. */
  async compare(
    tenantId: string,
    connectionId: string,
    objects: readonly ListedObject[],
  ): Promise<{ stored: number; changed: number }> {
    const columns = [
      objects.map(({ key }) => key),
      objects.map(({ sizeBytes }) => sizeBytes),
      objects.map(({ etag }) => etag),
    ];
    const [row] = await this.database.query<{ stored: number; changed: number }>(compare, [
      tenantId,
      connectionId,
      ...columns,
    ]);
    return row ?? { stored: 0, changed: 0 };
  }

  countFiles(tenantId: string, connectionId: string): Promise<number> {
    return this.nodes.countBy({ tenant_id: tenantId, connection_id: connectionId, is_file: true });
  }
}

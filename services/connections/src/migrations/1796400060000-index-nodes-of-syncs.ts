import { Migration } from '@kiln/platform';
import type { QueryRunner } from 'typeorm';

const SELECTABLE = `is_file and excluded_by is null and archived_in is null
  and selected_version is distinct from coalesce(etag, '') || '/' || size_bytes::text`;

/** The nodes that the end of a sync reads: those to remove, and those that may be selected for automatic processing. */
export class IndexNodesOfSyncs1796400060000 extends Migration {
  static readonly phase = 'expand';

  /** Nodes change while the indexes are built. */
  override readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists nodes_unlisted');
    await runner.query(
      `create index concurrently nodes_unlisted on nodes (tenant_id, connection_id, is_file, id) where unlisted_since is not null`,
    );
    await runner.query('drop index concurrently if exists nodes_selectable');
    await runner.query(
      `create index concurrently nodes_selectable on nodes (tenant_id, connection_id, created_at, id) where ${SELECTABLE}`,
    );
  }
}

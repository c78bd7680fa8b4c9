// Computes the digest of stored nodes. A sync compares it with the digest of a page, and skips the page if they are equal.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { PathRange } from './unlisted-node.store.js';

/**
 * Of at most `$5` nodes after `$3` and up to `$4`, or to the last one, in the form of `domain/node-digest.ts`. Null if one of them is marked as
 * unlisted. Each length is in bytes, each time in milliseconds.
 *
 * Planned for its values, as the statement that compares the nodes.
 */
const digest = statement(
  'node_digests.read',
  `select case when bool_or(unlisted_since is not null) then null else md5(string_agg(octet_length(path) || ':' || path
       || coalesce(size_bytes::text, '') || '|'
       || coalesce(octet_length(etag) || ':' || etag, '') || coalesce(((extract(epoch from last_modified) * 1000)::bigint)::text, '') || '|'
       || coalesce(octet_length(archived_in) || ':' || archived_in, '') || coalesce(excluded_by, '') || E'\\n', '' order by path)) end as digest
   from (
     select path, size_bytes, etag, last_modified, archived_in, excluded_by, unlisted_since from nodes
     where tenant_id = $1 and connection_id = $2 and path > $3
       and path <= coalesce($4, (select path from nodes where tenant_id = $1 and connection_id = $2 order by path desc limit 1))
     order by path limit $5
   ) n`,
  { plannedForValues: true },
);

@Injectable()
export class NodeDigestStore {
  constructor(private readonly database: Database) {}

  /** Null if there are none, or one is marked as unlisted. */
  async read(
    { tenantId, connectionId }: { tenantId: string; connectionId: string },
    { after, upTo }: PathRange,
    limit: number,
  ): Promise<string | null> {
    const values = [tenantId, connectionId, after, upTo, limit];
    const [row] = await this.database.query<{ digest: string | null }>(digest, values);
    return row?.digest ?? null;
  }
}

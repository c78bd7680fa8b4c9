// How far the search for orphaned objects has come. One process has it at a time; its fence proves that.
import { statement, type Queryable } from '@kiln/platform';

/** A stretch of file ids, by the time they were made, and where to go on in it. */
export interface OrphanPass {
  fence: number;
  /** Null: from the beginning. */
  from: Date | null;
  until: Date;
  afterTenant: string;
}

/** Begins a pass, or goes on with the one that another has left. */
const claim = statement(
  'orphans.claim',
  `update orphan_search
   set fence = fence + 1, leased_until = now() + make_interval(secs => $1),
       pass_until = coalesce(pass_until, now() - make_interval(secs => $2))
   where leased_until < now() and (pass_until is not null or next_pass_at <= now())
   returning fence, nullif(seen_until, '-infinity') as seen_until, pass_until, after_tenant`,
);
const advance = statement(
  'orphans.advance',
  `update orphan_search set after_tenant = $2, leased_until = now() + make_interval(secs => $3) where fence = $1 returning 1`,
);
const finish = statement(
  'orphans.finish',
  `update orphan_search
   set seen_until = pass_until, pass_until = null, after_tenant = '', leased_until = '-infinity',
       next_pass_at = now() + make_interval(secs => $2)
   where fence = $1`,
);
/** Files of deleted spaces are files still. */
const known = statement('orphans.known', 'select id from file_rows where tenant_id = $1 and id = any($2::uuid[])');

export class OrphanSearchStore {
  constructor(private readonly database: Queryable) {}

  async claim(leaseSeconds: number, graceSeconds: number): Promise<OrphanPass | null> {
    const [row] = await this.database.query<{
      fence: number;
      seen_until: Date | null;
      pass_until: Date;
      after_tenant: string;
    }>(claim, [leaseSeconds, graceSeconds]);
    if (!row) return null;
    return { fence: row.fence, from: row.seen_until, until: row.pass_until, afterTenant: row.after_tenant };
  }

  /** The tenant is done; false when another has the search now. */
  async advance({ fence }: OrphanPass, tenant: string, leaseSeconds: number): Promise<boolean> {
    return (await this.database.query(advance, [fence, tenant, leaseSeconds])).length > 0;
  }

  async finish({ fence }: OrphanPass, pauseSeconds: number): Promise<void> {
    await this.database.query(finish, [fence, pauseSeconds]);
  }

  /** Those of `fileIds` that are the tenant's files. */
  async known(tenantId: string, fileIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(known, [tenantId, fileIds]);
    return new Set(rows.map((row) => row.id));
  }
}

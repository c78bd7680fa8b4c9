// Progress and findings of the search for objects without a file. One process searches at a time, under a lease with a fencing
// token.
import { Database, statement } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import type { BucketMarker } from './bucket-marker.domain.js';
import { OrphanCandidateEntity } from './orphan-candidate.entity.js';
import { OrphanSearchEntity, type SearchObstacle } from './orphan-search.entity.js';

/** The tenant after which to continue, and the provider's cursor of the page that lists it. Null: the first page. */
export interface TenantPlace {
  afterTenant: string;
  tenantsCursor: string | null;
}

/**
 * A place within the next tenant: the prefix whose keys are listed, and the provider's cursor of the next page. Null: the
 * beginning.
 */
export interface IdPlace {
  idsPrefix: string | null;
  idsCursor: string | null;
  /** The number of ids on the earlier pages of the prefix. */
  idsInPrefix: number;
}

/** A range of file ids by the time they were made, and where to continue. */
export interface OrphanPass extends TenantPlace, IdPlace {
  fence: number;
  /** Null: from the first id. */
  from: Date | null;
  until: Date;
}

export interface FileKey {
  tenantId: string;
  fileId: string;
}

/** Begins a pass, or resumes one whose lease has expired. */
const claim = statement(
  'orphans.claim',
  `update orphan_searches
   set fence = fence + 1, lease_expires_at = now() + make_interval(secs => $1),
       pass_until = coalesce(pass_until, now() - make_interval(secs => $2))
   where lease_expires_at < now() and (pass_until is not null or due_at <= now())
   returning fence, nullif(seen_until, '-infinity') as seen_until, pass_until, after_tenant, tenants_cursor, ids_prefix, ids_cursor,
     ids_in_prefix`,
);
/** A fenced write, as all writes of a pass: a process that has lost the lease changes nothing. */
const advance = statement(
  'orphans.advance',
  `update orphan_searches set after_tenant = $2, tenants_cursor = $3, ids_prefix = null, ids_cursor = null,
     ids_in_prefix = 0, ids_seen = ids_seen + $4, lease_expires_at = now() + make_interval(secs => $5)
   where fence = $1 returning 1`,
);
const keepPlace = statement(
  'orphans.keep_place',
  `update orphan_searches set ids_prefix = $2, ids_cursor = $3, ids_in_prefix = $4, ids_seen = ids_seen + $5,
     lease_expires_at = now() + make_interval(secs => $6)
   where fence = $1 returning 1`,
);
const renew = statement(
  'orphans.renew',
  'update orphan_searches set lease_expires_at = now() + make_interval(secs => $2) where fence = $1 returning 1',
);
const BETWEEN_PASSES = `pass_until = null, after_tenant = '', tenants_cursor = null, ids_prefix = null, ids_cursor = null, ids_in_prefix = 0,
       ids_seen = 0, lease_expires_at = '-infinity',
       due_at = now() + make_interval(secs => $2)`;
const finish = statement(
  'orphans.finish',
  `update orphan_searches set seen_until = pass_until, obstacle = null, ${BETWEEN_PASSES} where fence = $1 returning 1`,
);
/** The next pass covers the same ids again, and the ids made since. */
const stop = statement(
  'orphans.stop',
  `with stopped as (
     update orphan_searches set obstacle = $3, ${BETWEEN_PASSES} where fence = $1 returning 1
   )
   delete from orphan_candidates where exists (select 1 from stopped)`,
);
/** Set-based. It includes the files of deleted spaces, and the uploads whose bytes are the content of a file, or will be. */
const existing = statement(
  'orphans.existing',
  `select id from files where tenant_id = $1 and id = any($2::uuid[])
   union all select source_id from files where tenant_id = $1 and source_id = any($2::uuid[])
   union all select upload_id from replacements where tenant_id = $1 and upload_id = any($2::uuid[])`,
);
/** Set-based. */
const addCandidates = statement(
  'orphans.add_candidates',
  'insert into orphan_candidates (tenant_id, file_id) select $1, unnest($2::uuid[]) on conflict do nothing',
);
/** Set-based. */
const dropCandidates = statement(
  'orphans.drop_candidates',
  `delete from orphan_candidates c using unnest($1::uuid[], $2::uuid[]) as d (tenant_id, file_id)
   where c.tenant_id = d.tenant_id and c.file_id = d.file_id`,
);

interface ClaimedRow {
  fence: number;
  seen_until: Date | null;
  pass_until: Date;
  after_tenant: string;
  tenants_cursor: string | null;
  ids_prefix: string | null;
  ids_cursor: string | null;
  ids_in_prefix: number;
}

@Injectable()
export class OrphanSearchStore {
  constructor(
    private readonly database: Database,
    private readonly manager: EntityManager,
  ) {}

  async claim(leaseSeconds: number, graceSeconds: number): Promise<OrphanPass | null> {
    const [row] = await this.database.query<ClaimedRow>(claim, [leaseSeconds, graceSeconds]);
    if (!row) return null;
    return {
      fence: row.fence,
      from: row.seen_until,
      until: row.pass_until,
      afterTenant: row.after_tenant,
      tenantsCursor: row.tenants_cursor,
      idsPrefix: row.ids_prefix,
      idsCursor: row.ids_cursor,
      idsInPrefix: row.ids_in_prefix,
    };
  }

  /** Records that a tenant is finished, with the number of further ids. Returns false when the lease is lost. */
  async advance({ fence }: OrphanPass, place: TenantPlace, idsSeen: number, leaseSeconds: number): Promise<boolean> {
    const values = [fence, place.afterTenant, place.tenantsCursor, idsSeen, leaseSeconds];
    return (await this.database.query(advance, values)).length > 0;
  }

  /**
   * Records that a page of ids is finished, with the number of further ids on earlier prefixes. Returns false when the lease is
   * lost.
   */
  async keepPlace({ fence }: OrphanPass, place: IdPlace, idsSeen: number, leaseSeconds: number): Promise<boolean> {
    const values = [fence, place.idsPrefix, place.idsCursor, place.idsInPrefix, idsSeen, leaseSeconds];
    return (await this.database.query(keepPlace, values)).length > 0;
  }

  /** False when the lease is lost. */
  async renew({ fence }: OrphanPass, leaseSeconds: number): Promise<boolean> {
    return (await this.database.query(renew, [fence, leaseSeconds])).length > 0;
  }

  /** False when the lease is lost. */
  async finish({ fence }: OrphanPass, pauseSeconds: number): Promise<boolean> {
    return (await this.database.query(finish, [fence, pauseSeconds])).length > 0;
  }

  /** Ends the pass; its findings stay in the bucket. */
  async stop({ fence }: OrphanPass, pauseSeconds: number, reason: SearchObstacle): Promise<void> {
    await this.database.query(stop, [fence, pauseSeconds, reason]);
  }

  async marker(): Promise<BucketMarker> {
    const { installation_id: installationId, seen_until } = await this.read();
    return { installationId, searchedUntil: seen_until instanceof Date ? seen_until : null };
  }

  /** Why the last pass has removed nothing. Null when it has finished. */
  async obstacle(): Promise<SearchObstacle | null> {
    return (await this.read()).obstacle;
  }

  private read(): Promise<OrphanSearchEntity> {
    return this.manager.findOneByOrFail(OrphanSearchEntity, { only_one: true });
  }

  /** Returns which of `fileIds` are files of the tenant. */
  async existing(tenantId: string, fileIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ id: string }>(existing, [tenantId, fileIds]);
    return new Set(rows.map((row) => row.id));
  }

  async addCandidates(tenantId: string, fileIds: readonly string[]): Promise<void> {
    if (fileIds.length > 0) await this.database.query(addCandidates, [tenantId, fileIds]);
  }

  /** Counts the ids and the orphans of the current pass. */
  async counts(): Promise<{ idsSeen: number; orphans: number }> {
    const { ids_seen: idsSeen } = await this.read();
    return { idsSeen, orphans: await this.manager.count(OrphanCandidateEntity) };
  }

  async candidates(limit: number): Promise<FileKey[]> {
    const order = { tenant_id: 'ASC', file_id: 'ASC' } as const;
    const rows = await this.manager.find(OrphanCandidateEntity, { order, take: limit });
    return rows.map((row) => ({ tenantId: row.tenant_id, fileId: row.file_id }));
  }

  async dropCandidates(keys: readonly FileKey[]): Promise<void> {
    const values = [keys.map(({ tenantId }) => tenantId), keys.map(({ fileId }) => fileId)];
    await this.database.query(dropCandidates, values);
  }
}

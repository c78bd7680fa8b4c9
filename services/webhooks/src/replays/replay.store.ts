// Replays: time windows of past events. A window can contain a million events. They are queued in batches, and only a few of them
// wait at a time, so that new events do not wait for the whole window.
import { Database, statement, type Queryable, type Transaction } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { CLOCK_SKEW, IS_DELIVERED } from '../events/delivered-events.rows.js';
import { ReplayEntity } from './replay.entity.js';

export interface EventWindow {
  tenantId: string;
  webhookId: string;
  since: Date;
  until: Date;
  /** Null: all types. */
  eventTypes: readonly string[] | null;
}

/** The fields of a replay that a round needs. */
export type ReplayRow = Omit<ReplayEntity, 'created_at'>;

export interface ReplayedEvent {
  id: string;
  type: string;
}

const IN_WINDOW = `e.tenant_id = $1 and e.webhook_id = $2 and e.id > uuid_floor($3::timestamptz - ${CLOCK_SKEW})
  and e.created_at >= $3 and e.created_at <= $4`;
const UNDELIVERED = `not ${IS_DELIVERED}
  and not exists (select 1 from queued_deliveries q
    where q.tenant_id = e.tenant_id and q.webhook_id = e.webhook_id and q.event_id = e.id)`;

/** An aggregate over the window. */
const countTypes = statement(
  'replays.count_types',
  `select count(*) filter (where $5::text[] is null or e.type = any($5)) as chosen,
          count(*) filter (where e.type <> all($5)) as skipped
   from webhook_events e where ${IN_WINDOW}`,
);
/** An aggregate over the window, without delivered and queued events. */
const countUndelivered = statement(
  'replays.count_undelivered',
  `select count(*) as chosen from webhook_events e where ${IN_WINDOW} and ${UNDELIVERED}`,
);
/** Inserts only below the maximum. The database computes the position. */
const insert = statement(
  'replays.insert',
  `insert into replays (tenant_id, id, webhook_id, kind, since, until, event_types, position)
   select $1, $2, $3, $4, $5, $6, $7, uuid_floor($5::timestamptz - ${CLOCK_SKEW})
   where (select count(*) from replays where tenant_id = $1 and webhook_id = $3) < $8
   returning id`,
);
/** A claim: skips replays that another worker has locked. The lock of the row is the lease. */
const take = statement(
  'replays.take',
  `select r.tenant_id, r.id, r.webhook_id, r.kind, r.since, r.until, r.event_types, r.position
   from replays r
   where r.id <> all($2::uuid[])
     and (select count(*) from (select 1 from queued_deliveries q
          where q.tenant_id = r.tenant_id and q.webhook_id = r.webhook_id limit $1) as ahead) < $1
   order by r.created_at, r.id limit 1 for update skip locked`,
);
const batch = (name: string, condition: string) =>
  statement(
    name,
    `select e.id, e.type, (${condition}) as chosen from webhook_events e
     where e.tenant_id = $1 and e.webhook_id = $2 and e.id > $5 and e.created_at >= $3 and e.created_at <= $4
     order by e.id limit $6`,
  );
const batchOfReplay = batch('replays.batch_of_replay', '$7::text[] is null or e.type = any($7)');
const batchOfRecovery = batch('replays.batch_of_recovery', `$7::text[] is null and ${UNDELIVERED}`);
const REPLAYS_MAX = 10;

@Injectable()
export class ReplayStore {
  constructor(
    private readonly database: Database,
    @InjectRepository(ReplayEntity) private readonly replays: Repository<ReplayEntity>,
  ) {}

  /** Counts the events of the window that will be queued, and the events of other types. */
  async count(kind: ReplayEntity['kind'], window: EventWindow): Promise<{ chosen: number; skipped: number }> {
    const { tenantId, webhookId, since, until, eventTypes } = window;
    const values = [tenantId, webhookId, since, until];
    const [row] =
      kind === 'replay'
        ? await this.database.query<{ chosen: number; skipped: number }>(countTypes, [...values, eventTypes])
        : await this.database.query<{ chosen: number }>(countUndelivered, values);
    return { skipped: 0, ...row, chosen: row?.chosen ?? 0 };
  }

  /** Returns false if the webhook has the maximum number of replays. */
  async add(id: string, kind: ReplayEntity['kind'], window: EventWindow): Promise<boolean> {
    const { tenantId, webhookId, since, until, eventTypes } = window;
    const values = [tenantId, id, webhookId, kind, since, until, eventTypes, REPLAYS_MAX];
    return this.database.transaction(async (transaction) => {
      // One creation at a time, so that each counts the replays before it.
      await transaction.lock(`replays ${tenantId} ${webhookId}`);
      return (await transaction.query(insert, values)).length > 0;
    });
  }

  /** Returns the oldest replay whose webhook has fewer than `aheadMax` queued deliveries, and locks it until the transaction ends. */
  async take(transaction: Transaction, aheadMax: number, except: readonly string[]): Promise<ReplayRow | null> {
    const [row] = await transaction.query<ReplayRow>(take, [aheadMax, except]);
    return row ?? null;
  }

  /** Returns whether any webhook has a replay. */
  isAny(): Promise<boolean> {
    return this.replays.exists();
  }

  /** Returns the next events of the window. `isLast` if no others follow. */
  async nextBatch(
    transaction: Queryable,
    replay: ReplayRow,
    limit: number,
  ): Promise<{ chosen: ReplayedEvent[]; position: string; isLast: boolean }> {
    const { tenant_id, webhook_id, since, until, position, event_types } = replay;
    const rows = await transaction.query<ReplayedEvent & { chosen: boolean }>(
      replay.kind === 'replay' ? batchOfReplay : batchOfRecovery,
      [tenant_id, webhook_id, since, until, position, limit, event_types],
    );
    return {
      chosen: rows.filter(({ chosen }) => chosen),
      position: rows.at(-1)?.id ?? position,
      isLast: rows.length < limit,
    };
  }

  async advance({ manager }: Transaction, { tenant_id, id }: ReplayRow, position: string): Promise<void> {
    await manager.update(ReplayEntity, { tenant_id, id }, { position });
  }

  async finish({ manager }: Transaction, { tenant_id, id }: ReplayRow): Promise<void> {
    await manager.delete(ReplayEntity, { tenant_id, id });
  }
}

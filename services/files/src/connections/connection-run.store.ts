// Connections whose files are being queued in the background, each leased to one process at a time.
import { Database, nextDueInMs, nextDueStatement, statement, type Queryable } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import type { ConnectionRunEntity } from './connection-run.entity.js';
import { claimInRotation } from './tenant-rotation.domain.js';

export type ConnectionRun = Omit<ConnectionRunEntity, 'due_at' | 'created_at'>;

const COLUMNS = 'tenant_id, batch_id, connection_id, processing, pages_limit, position, fence, failures';
/** Inserts batch and run together. The clock of the database decides when the lease ends. */
const begin = statement(
  'connection_runs.begin',
  `with batch as (
     insert into batches (tenant_id, id) values ($1, $2) on conflict do nothing
   )
   insert into connection_runs (tenant_id, batch_id, connection_id, processing, pages_limit, due_at)
   values ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
   on conflict do nothing returning ${COLUMNS}`,
);
/** Claims the run that has been due for the longest time, of the next tenant after $2. */
const claim = statement(
  'connection_runs.claim',
  `update connection_runs r set fence = r.fence + 1, due_at = now() + make_interval(secs => $1)
   from (select tenant_id, batch_id from connection_runs where due_at <= now() and tenant_id > $2
         order by tenant_id, due_at limit 1 for update skip locked) due
   where r.tenant_id = due.tenant_id and r.batch_id = due.batch_id
   returning ${COLUMNS.split(', ')
     .map((column) => `r.${column}`)
     .join(', ')}`,
);
const nextDue = nextDueStatement('connection_runs.next_due', 'select min(due_at) from connection_runs');
/** Fences the writes below: a process that has lost the lease changes nothing. */
const HELD = 'tenant_id = $1 and batch_id = $2 and fence = $3';
const advance = statement(
  'connection_runs.advance',
  `update connection_runs set position = $4, failures = 0, due_at = now() + make_interval(secs => $5)
   where ${HELD} returning 1`,
);
const release = statement(
  'connection_runs.release',
  `update connection_runs set due_at = now() + make_interval(secs => $4), failures = failures + $5 where ${HELD}`,
);
const end = statement('connection_runs.end', `delete from connection_runs where ${HELD} returning 1`);

const held = ({ tenant_id, batch_id, fence }: ConnectionRun) => [tenant_id, batch_id, fence];

export type NewConnectionRun = Pick<
  ConnectionRun,
  'tenant_id' | 'batch_id' | 'connection_id' | 'processing' | 'pages_limit'
>;

@Injectable()
export class ConnectionRunStore {
  constructor(private readonly database: Database) {}

  /** Inserts the run and its batch, leased to the caller. Null when the batch already has a run. */
  async begin(run: NewConnectionRun, leaseSeconds: number): Promise<ConnectionRun | null> {
    const { tenant_id, batch_id, connection_id, processing, pages_limit } = run;
    const values = [tenant_id, batch_id, connection_id, processing, pages_limit, leaseSeconds];
    const [row] = await this.database.query<ConnectionRun>(begin, values);
    return row ?? null;
  }

  /** Claims a run of one of the tenants after `lastTenantId`, or else of the first ones. Null when none is due. */
  claim(leaseSeconds: number, lastTenantId: string | null): Promise<ConnectionRun | null> {
    return claimInRotation(lastTenantId, (after) => this.database.query<ConnectionRun>(claim, [leaseSeconds, after]));
  }

  /** Milliseconds until a run can be claimed. Null when there are no runs. */
  nextDueInMs(): Promise<number | null> {
    return nextDueInMs(this.database, nextDue);
  }

  /** Moves the position to this node, in the transaction that queues the page. False when the lease is lost. */
  async advance(
    transaction: Queryable,
    run: ConnectionRun,
    position: string | null,
    leaseSeconds: number,
  ): Promise<boolean> {
    return (await transaction.query(advance, [...held(run), position, leaseSeconds])).length > 0;
  }

  /** Returns the run to the queue; it can be claimed again after `delaySeconds`. */
  async release(run: ConnectionRun, delaySeconds: number, failed: boolean): Promise<void> {
    await this.database.query(release, [...held(run), delaySeconds, failed ? 1 : 0]);
  }

  /** Deletes the run. The nodes that it has not queued get no job. */
  async abandon(run: ConnectionRun): Promise<void> {
    await this.end(this.database, run);
  }

  /** Deletes the run, in the transaction that queues the last page. */
  async end(on: Queryable, run: ConnectionRun): Promise<void> {
    await on.query(end, held(run));
  }
}

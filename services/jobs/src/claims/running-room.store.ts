// The room for more runs under the limits on running jobs. Claims that count it run one after the other, over all workers, so that the
// limits are exact.
import { statement, type Database, type PipelinedTransaction } from '@kiln/platform';
import type { Lane } from './lane.domain.js';
import { roomOf, type Room, type Running, type RunningLimits } from './running-limits.domain.js';
import { FIRST_DUE } from './tenant-queue.rows.js';

const running = statement(
  'running_room.count',
  'select tenant_id, provider, count(*) as jobs from jobs where lease_expires_at is not null group by tenant_id, provider',
);
const offer = statement(
  'running_room.offer',
  `update waiting_tenants set due_at = now() where (tenant_id, lane) in (
     select tenant_id, lane from waiting_tenants
     where tenant_id = any ($1::uuid[]) and due_at > now() and due_at <= now() + interval '1 second'
     for no key update skip locked)`,
);
const passOver = statement(
  'running_room.pass_over',
  `update waiting_tenants set due_at = now() + interval '1 second', served_at = statement_timestamp() where (tenant_id, lane) in (
     select tenant_id, lane from waiting_tenants tenant
     where tenant_id = any ($1::uuid[]) and lane = $2 and ${FIRST_DUE} <= now() for no key update skip locked)
   returning tenant_id`,
);

export class RunningRoomStore {
  /** Tenants whose runs have ended since the last count. */
  private readonly endedOf = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly limits: RunningLimits,
  ) {}

  /** A run of the tenant has ended: the next count offers the room to that tenant. */
  onRunEnded(tenantId: string): void {
    this.endedOf.add(tenantId);
  }

  /** Other claims wait until the transaction ends. */
  async count(transaction: PipelinedTransaction): Promise<Room> {
    // The next claim sees what this one has committed.
    await transaction.lock('jobs.claims');
    if (this.endedOf.size > 0) await transaction.query(offer, [[...this.endedOf].sort()]);
    this.endedOf.clear();
    return roomOf(this.limits, await transaction.query<Running>(running));
  }

  /** These tenants got no job. Those with due jobs had no room: they are due again in a second. Returns the others. */
  async passOver(lane: Lane, tenantIds: readonly string[]): Promise<string[]> {
    if (tenantIds.length === 0) return [];
    const passed = await this.database.query<{ tenant_id: string }>(passOver, [tenantIds, lane]);
    const waiting = new Set(passed.map(({ tenant_id }) => tenant_id));
    return tenantIds.filter((tenantId) => !waiting.has(tenantId));
  }
}

// Claims due jobs, round robin over tenants, each under a new lease and a higher fencing token. A claim is two statements of one
// transaction, and waits for no lock on a row: it picks tenants, and takes jobs of them.
import type { Database, PipelinedTransaction } from '@kiln/platform';
import type { ClaimedJob } from '../jobs/job.rows.js';
import { FROM_START, type ClaimPositions } from './claim-positions.domain.js';
import type { Lane } from './lane.domain.js';
import { pickTenants, type TenantShare } from './pick-tenants.statement.js';
import { UNLIMITED_ROOM } from './running-limits.domain.js';
import type { RunningRoomStore } from './running-room.store.js';
import { takeJobs, type TakenJob } from './take-jobs.statement.js';
import type { TenantQueueStore } from './tenant-queue.store.js';

export interface Claimed {
  /** Fewer than requested when no more are due, or when another transaction has locked them. */
  jobs: ClaimedJob[];
  /** Tenants that had fewer due jobs than their share; see `removeIdle`. */
  drained: string[];
}

export interface ClaimOptions {
  workerId: string;
  lane: Lane;
  leaseSeconds: number;
  /** Seconds after which a job of a batch goes before later single uploads of its tenant. */
  batchWaitSeconds: number;
  /** Set when the number of running jobs is limited. */
  runningRoom?: RunningRoomStore | null;
  /** Claims begin where the last one has found rows. Without effect under limits, which leave jobs behind. */
  positions?: ClaimPositions;
}

/** The leases of claimed jobs are committed, so the worker must run these jobs. The next claim reports the error if it occurs again. */
function nothingMore(claimed: readonly ClaimedJob[], error: unknown): Claimed {
  if (claimed.length === 0) throw error;
  return { jobs: [], drained: [] };
}

export class ClaimStore {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantQueueStore,
    private readonly options: ClaimOptions,
  ) {}

  /** Claims up to `jobsMax` jobs. `lastTenants` are served only after all others. */
  async claim(jobsMax: number, lastTenants: readonly string[] = []): Promise<Claimed> {
    const first = await this.claimExcept(jobsMax, lastTenants);
    const left = jobsMax - first.jobs.length;
    if (left === 0 || lastTenants.length === 0) return first;
    const second = await this.claimExcept(left, []).catch((error: unknown) => nothingMore(first.jobs, error));
    return { jobs: [...first.jobs, ...second.jobs], drained: [...new Set([...first.drained, ...second.drained])] };
  }

  /** Claims up to `jobsMax` jobs of other tenants than these. */
  async claimExcept(jobsMax: number, tenantIds: readonly string[]): Promise<Claimed> {
    const { lane, runningRoom } = this.options;
    const claimed = await this.database.pipelined((transaction) => this.claimWithin(transaction, jobsMax, tenantIds));
    if (!runningRoom) return claimed;
    const waiting = runningRoom.passOver(lane, claimed.drained);
    const drained = await waiting.catch((error: unknown) => nothingMore(claimed.jobs, error).drained);
    return { ...claimed, drained };
  }

  /** A run of the tenant has ended. Returns whether that may have made room for another job: only under limits on running jobs. */
  onRunEnded(tenantId: string): boolean {
    this.options.runningRoom?.onRunEnded(tenantId);
    return Boolean(this.options.runningRoom);
  }

  /** Removes drained tenants from the queue of tenants. False when one of them may have a due job after all. */
  async removeIdle(drained: readonly string[]): Promise<boolean> {
    const areRemoved = await this.tenants.removeIdle(this.options.lane, drained);
    if (!areRemoved) this.positions?.forget();
    return areRemoved;
  }

  /** Milliseconds until a tenant other than these is due. 0: one is due, but another transaction has locked it. Null: no tenant waits. */
  nextDueInMs(except: readonly string[]): Promise<number | null> {
    return this.tenants.nextDueInMs(this.options.lane, except, this.positions?.ofTenants ?? FROM_START);
  }

  private get positions(): ClaimPositions | undefined {
    return this.options.runningRoom ? undefined : this.options.positions;
  }

  private async claimWithin(
    transaction: PipelinedTransaction,
    jobsMax: number,
    except: readonly string[],
  ): Promise<Claimed> {
    const { lane, workerId, leaseSeconds, batchWaitSeconds, runningRoom } = this.options;
    const room = (await runningRoom?.count(transaction)) ?? UNLIMITED_ROOM;
    const { positions } = this;
    const { joined, served } = positions?.ofTenants ?? FROM_START;
    const picked = await transaction.query<TenantShare>(pickTenants, [jobsMax, lane, except, joined, served]);
    if (picked.length === 0) return { jobs: [], drained: [] };
    if (except.length === 0) positions?.onPicked(picked);
    const tenantIds = picked.map(({ tenant_id }) => tenant_id);
    const shares = picked.map(({ tenant_id, share }) => Math.min(share, room.ofTenant(tenant_id)));
    const providers = [[...room.ofProvider.keys()], [...room.ofProvider.values()]];
    const from = ([0, 1] as const).map((priority) => tenantIds.map((id) => positions?.ofJobs(id, priority) ?? null));
    const values = [
      tenantIds,
      shares,
      lane,
      workerId,
      leaseSeconds,
      batchWaitSeconds,
      ...providers,
      ...from,
      picked.map(({ row }) => row),
    ];
    const jobs = await transaction.commit<TakenJob>(takeJobs, values);
    positions?.onTaken(jobs);
    const taken = new Map<string, number>();
    for (const { tenant_id } of jobs) taken.set(tenant_id, (taken.get(tenant_id) ?? 0) + 1);
    // Under limits, a tenant that got some of its share may have more due jobs.
    const enough = ({ share }: TenantShare) => (runningRoom ? 1 : share);
    const drained = picked.filter((tenant) => (taken.get(tenant.tenant_id) ?? 0) < enough(tenant));
    return { jobs, drained: drained.map(({ tenant_id }) => tenant_id) };
  }
}

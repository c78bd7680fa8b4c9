// Renews the leases of the runs in this worker, and aborts runs that have lost theirs.
import type { Logger } from '@kiln/platform';
import { leaseKey, type LeaseStore } from '../leases/lease.store.js';
import type { ActiveRun } from './active-run.js';

export interface LeaseRenewalOptions {
  leases: LeaseStore;
  heartbeatMs: number;
  logger: Logger;
}

export class LeaseLost extends Error {}

export class LeaseRenewal {
  private heartbeat: NodeJS.Timeout | null = null;

  constructor(
    private readonly options: LeaseRenewalOptions,
    private readonly running: ReadonlySet<ActiveRun>,
  ) {}

  start(): void {
    this.heartbeat = setInterval(() => void this.renew(), this.options.heartbeatMs);
  }

  stop(): void {
    if (this.heartbeat) clearInterval(this.heartbeat);
  }

  async renew(): Promise<void> {
    const held = [...this.running];
    if (held.length === 0) return;
    try {
      const kept = await this.options.leases.extend(held.map(({ lease }) => lease));
      for (const run of held) if (!kept.has(leaseKey(run.lease))) run.abort(new LeaseLost());
    } catch (error) {
      // A lease survives some missed heartbeats. Once it expires, the fencing token prevents further writes of the run.
      this.options.logger.warn({ err: error }, 'Lease renewal failed');
    }
  }
}

// Requests that wait for a sync to end. A wake-up may be lost, so they also poll.
import { WakeUpSignal } from '@kiln/platform';
import { Injectable } from '@nestjs/common';
import { TenantSlots } from '../external-buckets/domain/tenant-slots.js';
import type { SyncRow } from './sync.rows.js';
import { SyncStore } from './sync.store.js';

const POLL_MS = 1_000;
const SLOTS_PER_TENANT = 8;

const hasEnded = ({ status }: SyncRow) => status !== 'pending' && status !== 'syncing';

@Injectable()
export class SyncWaiters {
  private readonly waiting = new Set<WakeUpSignal>();
  private readonly slots = new TenantSlots(SLOTS_PER_TENANT);

  constructor(private readonly syncs: SyncStore) {}

  /** A sync has ended. */
  wakeUp(): void {
    for (const signal of this.waiting) signal.send();
  }

  /**
   * Returns the sync once it has ended, or at `until` (milliseconds since 1970). Returns it at once when too many requests of its tenant
   * wait already.
   */
  async wait(sync: SyncRow, until: number): Promise<SyncRow> {
    if (!this.slots.take(sync.tenant_id)) return sync;
    try {
      return await this.waitFor(sync, until);
    } finally {
      this.slots.release(sync.tenant_id);
    }
  }

  private async waitFor(sync: SyncRow, until: number): Promise<SyncRow> {
    const signal = new WakeUpSignal();
    this.waiting.add(signal);
    try {
      let current = sync;
      while (!hasEnded(current) && Date.now() < until) {
        await signal.sleep(Math.min(POLL_MS, Math.max(1, until - Date.now())));
        // The purge of its connection may have removed the sync.
        current = (await this.syncs.find(sync.tenant_id, sync.id)) ?? { ...current, status: 'cancelled' };
      }
      return current;
    } finally {
      this.waiting.delete(signal);
    }
  }
}

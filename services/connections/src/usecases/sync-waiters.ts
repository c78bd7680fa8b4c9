// Requests that wait for a sync to end. The hint of its end may be lost, so they look by themselves as well.
import { WakeUpSignal } from '@kiln/platform';
import { TenantSlots } from '../domain/tenant-slots.js';
import type { SyncRow } from '../store/sync.rows.js';
import type { SyncStore } from '../store/sync.store.js';

export const SYNC_DUE_WAKE_UP = 'connections.sync-due';
export const SYNC_ENDED_WAKE_UP = 'connections.sync-ended';
export const SYNC_CANCELLED_WAKE_UP = 'connections.sync-cancelled';

const LOOK_MS = 1_000;
const SLOTS_PER_TENANT = 8;

const hasEnded = ({ status }: SyncRow) => status !== 'pending' && status !== 'syncing';

export class SyncWaiters {
  private readonly waiting = new Set<WakeUpSignal>();
  private readonly slots = new TenantSlots(SLOTS_PER_TENANT);

  constructor(private readonly syncs: SyncStore) {}

  /** Some sync has ended. */
  wakeUp(): void {
    for (const signal of this.waiting) signal.send();
  }

  /**
   * The sync as it is when it has ended, or at `until` (milliseconds since 1970); as it is now when requests of its tenant wait for
   * several syncs already.
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
        await signal.sleep(Math.min(LOOK_MS, Math.max(1, until - Date.now())));
        // With its connection, a sync may be gone altogether.
        current = (await this.syncs.find(sync.tenant_id, sync.id)) ?? { ...current, status: 'cancelled' };
      }
      return current;
    } finally {
      this.waiting.delete(signal);
    }
  }
}

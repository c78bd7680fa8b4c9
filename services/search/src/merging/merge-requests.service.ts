// Which tenants need a merge of their index.
//
// No table records it. A long tail only slows searches down, and each search and each write measures it. So when a process dies, the
// next search or write requests the merge again. Mass deletions request it too, so that no search has to read all their ranges.
import { WorkNotifier } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

/** After a search, this many passages in the tail, or removed numbers outside windows, request a merge. A search reads 100 in about 0.5 ms. */
export const UNMERGED_MAX = 256;
/** After a write, a merge is requested at the largest size of a merge: each merge updates a row for every term that it contains. */
export const UNMERGED_UNSEARCHED_MAX = 1_024;

interface MergeRequest {
  tenantId: string;
  /** How many unmerged passages a merge needs. */
  threshold: number;
}

@Injectable()
export class MergeRequests extends WorkNotifier {
  /** The threshold of each tenant, the oldest request first. */
  private readonly requested = new Map<string, number>();

  get waitingCount(): number {
    return this.requested.size;
  }

  /** `unmerged`: passages that a search read from the tenant's tail, or removed numbers outside windows if these are more. */
  afterSearch(tenantId: string, unmerged: number): void {
    this.request(tenantId, unmerged, UNMERGED_MAX);
  }

  /** `unmerged`: passages that a write counted in the tenant's tail. */
  afterWrite(tenantId: string, unmerged: number): void {
    this.request(tenantId, unmerged, UNMERGED_UNSEARCHED_MAX);
  }

  /** `removed`: numbers that a removal of files has added to those outside windows. */
  afterRemoval(tenantId: string, removed: number): void {
    this.request(tenantId, removed, UNMERGED_MAX);
  }

  take(): MergeRequest | null {
    const [next] = this.requested;
    if (next === undefined) return null;
    const [tenantId, threshold] = next;
    this.requested.delete(tenantId);
    return { tenantId, threshold };
  }

  /** Puts back a request whose tenant needs another merge. */
  repeat({ tenantId, threshold }: MergeRequest): void {
    this.request(tenantId, threshold, threshold);
  }

  private request(tenantId: string, unmerged: number, threshold: number): void {
    if (unmerged < threshold) return;
    this.requested.set(tenantId, Math.min(threshold, this.requested.get(tenantId) ?? threshold));
    this.wakeUp();
  }
}

// The tenants whose copies of vectors lack changes. No table records them: when a process dies, the safety poll of any other process finds the
// copies.
import { WorkNotifier, type PollingLoop } from '@kiln/platform';
import { Injectable } from '@nestjs/common';

@Injectable()
export class VectorCopyRequests extends WorkNotifier {
  /** The oldest request first. */
  private readonly tenants = new Set<string>();
  private isServed = false;

  override connect(worker: Pick<PollingLoop, 'wakeUp'>): void {
    super.connect(worker);
    this.isServed = true;
  }

  /** Without copies, no worker takes requests, and none are kept. */
  request(tenantId: string): void {
    if (!this.isServed) return;
    this.tenants.add(tenantId);
    this.wakeUp();
  }

  take(): string | null {
    const [tenantId] = this.tenants;
    if (tenantId === undefined) return null;
    this.tenants.delete(tenantId);
    return tenantId;
  }
}

// The call that the running code works for. It says whose share of the process the work uses, and what ends at the call's deadline.
// Work outside of calls, such as that of workers, has none.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { TenantPauses } from '../service/tenant-pauses.js';

export interface CurrentCall {
  readonly tenantId: string;
  /** Whether the call was answered without a result, because its deadline passed or its caller left. Further work is useless. */
  readonly isOver: boolean;
  /** Calls `listener` when the call is over. Returns a function that removes it. */
  onOver(listener: () => void): () => void;
  /** Called after a part of the call's work that began at `startedAt`. A heavy call then leaves time to other tenants. */
  pause(startedAt: number): Promise<void>;
}

const calls = new AsyncLocalStorage<CurrentCall | undefined>();

export const currentCall = (): CurrentCall | undefined => calls.getStore();

export const inCall = <Result>(call: CurrentCall | undefined, work: () => Result): Result => calls.run(call, work);

/** The longest time for which a call pauses in all. Otherwise long work would miss its deadline only because others are active. */
const PAUSES_MS_MAX = 2_000;

export class RunningCall implements CurrentCall {
  private readonly listeners = new Set<() => void>();
  private over = false;
  private pauses: TenantPauses | undefined;
  private pausedMs = 0;

  constructor(readonly tenantId: string) {}

  get isOver(): boolean {
    return this.over;
  }

  onOver(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** From now on, the call is heavy. */
  pauseWith(pauses: TenantPauses): void {
    this.pauses = pauses;
  }

  async pause(startedAt: number): Promise<void> {
    if (this.pauses && this.pausedMs < PAUSES_MS_MAX)
      this.pausedMs += await this.pauses.pause(this.tenantId, startedAt);
  }

  end(): void {
    this.over = true;
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }
}

/** For work that outlives the call that starts it, because others need its result. It has the tenant's share, and no deadline. */
export const beyondCall = <Result>(tenantId: string, work: () => Result): Result =>
  inCall(new RunningCall(tenantId), work);

/** Work that is done once for several calls of a tenant. It continues as long as one of them waits. */
class GroupOfCalls implements CurrentCall {
  constructor(
    readonly tenantId: string,
    private readonly members: readonly CurrentCall[],
  ) {}

  get isOver(): boolean {
    return this.members.every((member) => member.isOver);
  }

  onOver(listener: () => void): () => void {
    const heard = () => {
      if (this.isOver) listener();
    };
    const removals = this.members.map((member) => member.onOver(heard));
    return () => removals.forEach((remove) => remove());
  }

  /** As long as the shortest of their pauses. */
  pause(startedAt: number): Promise<void> {
    return Promise.race(this.members.map((member) => member.pause(startedAt)));
  }
}

/** Undefined if one of them is work outside of calls, which has no deadline. */
export function groupOf(members: readonly (CurrentCall | undefined)[]): CurrentCall | undefined {
  const [first] = members;
  if (members.length <= 1) return first;
  const known = members.filter((member) => member !== undefined);
  return first && known.length === members.length ? new GroupOfCalls(first.tenantId, known) : undefined;
}

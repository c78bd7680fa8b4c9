// Group commit for calls: calls that arrive together are executed together. Under load, one statement or transaction serves many
// callers. A single call does not wait.
import { CodedError } from '@kiln/contracts';
import { currentCall, groupOf, inCall, type CurrentCall } from '../bus/current-call.js';
import { currentOrigin, inGroup, type Origin } from '../observability/grouped-work.js';

export interface GroupedCallsOptions<Call> {
  /** Concurrent groups per key. While they run, further calls join the next group. */
  inFlightMax: number;
  /** The maximum number of calls per group. */
  callsMax: number;
  /** Default: groups of any size. */
  size?: GroupSize<Call>;
}

/** Keeps a group below the message size limit. */
export interface GroupSize<Call> {
  /** Bytes. */
  sizeOf: (call: Call) => number;
  /** The maximum size of a group. A larger call forms a group alone. */
  sizeMax: number;
}

interface Waiting<Call, Result> {
  call: Call;
  caller: CurrentCall | undefined;
  origin: Origin;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Queue<Call, Result> {
  waiting: Waiting<Call, Result>[];
  inFlight: number;
  scheduled: boolean;
}

export class GroupedCalls<Call, Result> {
  private readonly queues = new Map<string, Queue<Call, Result>>();

  /** `work` receives calls of one key, and returns their results in the same order. */
  constructor(
    private readonly work: (key: string, calls: Call[]) => Promise<Result[]>,
    private readonly options: GroupedCallsOptions<Call>,
  ) {}

  /** Calls with different keys (tenants, mostly) never share a group. */
  run(key: string, call: Call): Promise<Result> {
    let queue = this.queues.get(key);
    if (!queue) this.queues.set(key, (queue = { waiting: [], inFlight: 0, scheduled: false }));
    const { waiting } = queue;
    const origin = currentOrigin();
    const caller = currentCall();
    const result = new Promise<Result>((resolve, reject) => waiting.push({ call, caller, origin, resolve, reject }));
    this.schedule(key, queue);
    return result;
  }

  /** Calls of one pass of the event loop form one group: bus messages arrive many at a time. */
  private schedule(key: string, queue: Queue<Call, Result>): void {
    if (queue.scheduled || queue.inFlight >= this.options.inFlightMax) return;
    queue.scheduled = true;
    setImmediate(() => {
      queue.scheduled = false;
      void this.runGroup(key, queue);
    });
  }

  private async runGroup(key: string, queue: Queue<Call, Result>): Promise<void> {
    const group = queue.waiting.splice(0, this.groupLength(queue.waiting));
    queue.inFlight++;
    if (queue.waiting.length > 0) this.schedule(key, queue);
    await this.carryOut(key, group);
    queue.inFlight--;
    if (queue.waiting.length > 0) this.schedule(key, queue);
    else if (queue.inFlight === 0 && !queue.scheduled) this.queues.delete(key);
  }

  private groupLength(waiting: readonly Waiting<Call, Result>[]): number {
    const { callsMax, size } = this.options;
    const most = Math.min(callsMax, waiting.length);
    if (!size) return most;
    let bytes = 0;
    for (let length = 0; length < most; length++) {
      bytes += size.sizeOf((waiting[length] as Waiting<Call, Result>).call);
      if (length > 0 && bytes > size.sizeMax) return length;
    }
    return most;
  }

  private async carryOut(key: string, group: Waiting<Call, Result>[]): Promise<void> {
    try {
      const calls = group.map(({ call }) => call);
      const origins = group.map(({ origin }) => origin);
      const callers = groupOf(group.map(({ caller }) => caller));
      const results = await inGroup(origins, () => inCall(callers, () => this.work(key, calls)));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      const [only] = group;
      const hopeless = error instanceof CodedError && error.code === 'UNAVAILABLE';
      if (hopeless || (group.length === 1 && only)) for (const { reject } of group) reject(error);
      // One call may have failed the group. Each is retried alone, so that its caller gets only its own error.
      else await Promise.all(group.map((one) => this.carryOut(key, [one])));
    }
  }
}

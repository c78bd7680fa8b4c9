// Calls that come together are carried out together, as databases group commits: under load one statement or transaction
// serves many callers, and a lone call waits for nobody.
import { CodedError } from '@kiln/contracts';

export interface GroupedCallsOptions {
  /** Groups of one key at work at a time. While they are, further calls gather into the next group. */
  inFlightMax: number;
  /** Calls in one group. */
  callsMax: number;
}

interface Waiting<Call, Result> {
  call: Call;
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

  /** `work` gets calls of one key only, and answers their results in the same order. */
  constructor(
    private readonly work: (key: string, calls: Call[]) => Promise<Result[]>,
    private readonly options: GroupedCallsOptions,
  ) {}

  /** Calls with different keys (tenants, mostly) never share a group. */
  run(key: string, call: Call): Promise<Result> {
    let queue = this.queues.get(key);
    if (!queue) this.queues.set(key, (queue = { waiting: [], inFlight: 0, scheduled: false }));
    const { waiting } = queue;
    const result = new Promise<Result>((resolve, reject) => waiting.push({ call, resolve, reject }));
    this.schedule(key, queue);
    return result;
  }

  /** What one turn of the event loop brings is one group: messages of the bus come many at a time. */
  private schedule(key: string, queue: Queue<Call, Result>): void {
    if (queue.scheduled || queue.inFlight >= this.options.inFlightMax) return;
    queue.scheduled = true;
    setImmediate(() => {
      queue.scheduled = false;
      void this.runGroup(key, queue);
    });
  }

  private async runGroup(key: string, queue: Queue<Call, Result>): Promise<void> {
    const group = queue.waiting.splice(0, this.options.callsMax);
    queue.inFlight++;
    if (queue.waiting.length > 0) this.schedule(key, queue);
    await this.settle(key, group);
    queue.inFlight--;
    if (queue.waiting.length > 0) this.schedule(key, queue);
    else if (queue.inFlight === 0 && !queue.scheduled) this.queues.delete(key);
  }

  private async settle(key: string, group: Waiting<Call, Result>[]): Promise<void> {
    try {
      const calls = group.map(({ call }) => call);
      const results = await this.work(key, calls);
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      const [only] = group;
      const hopeless = error instanceof CodedError && error.code === 'UNAVAILABLE';
      if (hopeless || (group.length === 1 && only)) for (const { reject } of group) reject(error);
      // One may have spoiled it for all: each alone is told only its own fault.
      else await Promise.all(group.map((one) => this.settle(key, [one])));
    }
  }
}

// Sees everything that workers do to the world, from outside: before and after each effect it can hold a run where it is.

/** An effect of a run, such as `commit markdown` or `PUT metadata.json`. */
export type Effect = string;
/** `before <effect>` or `after <effect>`. */
export type Boundary = string;

interface Hold {
  boundary: Boundary;
  gate: Promise<void>;
  open: () => void;
}

/** Jobs are named as in the contracts. */
export class Watch {
  private readonly passed = new Map<string, Boundary[]>();
  private readonly holds = new Map<string, Hold>();

  boundariesOf(jobId: string): readonly Boundary[] {
    return this.passed.get(jobId) ?? [];
  }

  /** From now on, a run of this job waits at `boundary`. */
  hold(jobId: string, boundary: Boundary): void {
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    this.holds.set(jobId, { boundary, gate, open });
  }

  /** Other work of the run continues. A later run of the job is not held. */
  isHeld(jobId: string): boolean {
    const boundary = this.holds.get(jobId)?.boundary;
    const passed = this.boundariesOf(jobId);
    const at = boundary === undefined ? -1 : passed.lastIndexOf(boundary);
    return at >= 0 && !passed.slice(at + 1).includes(passed[0] ?? '');
  }

  release(jobId: string): void {
    this.holds.get(jobId)?.open();
    this.holds.delete(jobId);
  }

  releaseAll(): void {
    for (const jobId of this.holds.keys()) this.release(jobId);
  }

  async around<Result>(jobId: string, effect: Effect, work: () => Result | Promise<Result>): Promise<Result> {
    await this.pass(jobId, `before ${effect}`);
    const result = await work();
    await this.pass(jobId, `after ${effect}`);
    return result;
  }

  private async pass(jobId: string, boundary: Boundary): Promise<void> {
    this.passed.set(jobId, [...this.boundariesOf(jobId), boundary]);
    const hold = this.holds.get(jobId);
    if (hold?.boundary === boundary) await hold.gate;
  }
}

// Lets a loop sleep until a wake-up or a timeout. A wake-up while the loop is working applies to its next sleep.
export class WakeUpSignal {
  /** When the current or next sleep ends, by the monotonic clock of `performance`. */
  private endsAt = Infinity;
  private onChange: (() => void) | null = null;

  /** Ends the current or next sleep, at the latest after a delay in milliseconds. */
  send(inMs = 0): void {
    const at = performance.now() + inMs;
    if (at >= this.endsAt) return;
    this.endsAt = at;
    this.onChange?.();
  }

  /** Sleeps until woken, or for `milliseconds`. */
  async sleep(milliseconds: number): Promise<void> {
    this.send(milliseconds);
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.onChange = () => {
        clearTimeout(timer);
        const restMs = Math.ceil(this.endsAt - performance.now());
        if (restMs <= 0) resolve();
        else timer = setTimeout(resolve, restMs);
      };
      this.onChange();
    });
    this.onChange = null;
    this.endsAt = Infinity;
  }
}

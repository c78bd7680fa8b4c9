// Lets a loop sleep until it is woken or time is over. A wake-up that comes while the loop is at work counts for its next sleep.
export class WakeUpSignal {
  /** When the sleep under way ends, or the next one; by the clock of `performance`, which no one sets back. */
  private endsAt = Infinity;
  private onChange: (() => void) | null = null;

  /** Ends the sleep under way, or the next one, at the latest in so many milliseconds. */
  send(inMs = 0): void {
    const at = performance.now() + inMs;
    if (at >= this.endsAt) return;
    this.endsAt = at;
    this.onChange?.();
  }

  /** Until woken, or for `milliseconds`. */
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

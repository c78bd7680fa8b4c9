// Lets a loop sleep until it is rung or time is over. A ring that comes while the loop is at work counts for its next sleep.
export class Doorbell {
  private rung = false;
  private answer: (() => void) | null = null;

  ring(): void {
    this.rung = true;
    this.answer?.();
  }

  /** Until rung, or for `milliseconds`. */
  async sleep(milliseconds: number): Promise<void> {
    if (!this.rung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.answer = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.answer = null;
    }
    this.rung = false;
  }
}

// Progress on stderr: one block that is drawn again on a terminal, lines elsewhere.
import { cut } from './table.js';
import type { Channel } from './terminal.js';

const INTERVAL_MS = 100;

export class Progress {
  #drawnLines = 0;
  #lines: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(private readonly channel: Channel) {}

  /** The state of the work. It is shown on a terminal only, at most ten times a second. */
  show(lines: readonly string[]): void {
    if (!this.channel.isTerminal || this.#isEnded) return;
    this.#lines = lines;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#draw();
    }, INTERVAL_MS);
  }

  /** A line that stays, above the block. */
  log(line: string): void {
    this.#erase();
    this.channel.write(`${line}\n`);
    if (this.#lines.length > 0) this.#draw();
  }

  /** Removes the block. Work that was interrupted can report later: nothing is shown then. */
  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lines = [];
    this.#erase();
  }

  #draw(): void {
    this.#erase();
    // A line in the last column would break, and the block would be one line longer than counted.
    for (const line of this.#lines) this.channel.write(`${cut(line, this.channel.columns - 1)}\n`);
    this.#drawnLines = this.#lines.length;
  }

  #erase(): void {
    if (this.#drawnLines > 0) this.channel.write(`\u001B[${this.#drawnLines}A\u001B[0J`);
    this.#drawnLines = 0;
  }
}

/** `[#####...............]`, as wide as asked. */
export function bar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * (width - 2));
  return `[${'#'.repeat(filled)}${'.'.repeat(width - 2 - filled)}]`;
}

/**
 * Supervises one process of the system. It is restarted when it exits, with a growing delay if it keeps failing. The caller does
 * the first start, whose failure is thrown and not retried.
 */
import { messageOf } from '../errors.js';
import type { ExitStatus } from '../processes/child-process.js';

/** A server or a service: a process that can be stopped. */
export interface Supervisable {
  readonly pid: number;
  readonly exited: Promise<ExitStatus>;
  stop(): Promise<void>;
  kill(): void;
}

export interface SupervisionOptions<Part> {
  readonly name: string;
  readonly start: () => Promise<Part>;
  /** Called when the process exited unexpectedly. `crashes` is the number in a row. */
  readonly onCrash: (name: string, status: ExitStatus | Error, crashes: number, delayMilliseconds: number) => void;
  /** Called when a new process has replaced it. */
  readonly onRestart: (name: string) => void;
  readonly firstDelayMilliseconds?: number;
  readonly longestDelayMilliseconds?: number;
  /** After running this long, the next crash counts as the first again. */
  readonly healthyAfterMilliseconds?: number;
}

export class Supervisor<Part extends Supervisable> {
  private stopping = false;
  private crashes = 0;
  private restartTimer: NodeJS.Timeout | undefined;
  private restarting: Promise<void> | undefined;

  private constructor(
    private part: Part,
    private readonly options: SupervisionOptions<Part>,
  ) {
    this.watch();
  }

  static async start<Part extends Supervisable>(options: SupervisionOptions<Part>): Promise<Supervisor<Part>> {
    return new Supervisor(await options.start(), options);
  }

  /** The current process, or the last one. */
  get current(): Part {
    return this.part;
  }

  /** Stops supervision, then the process. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.restartTimer);
    await this.restarting;
    await this.part.stop();
  }

  private watch(): void {
    const startedAt = performance.now();
    const { healthyAfterMilliseconds = 30_000 } = this.options;
    void this.part.exited.then((status) => {
      if (this.stopping) return undefined;
      if (performance.now() - startedAt >= healthyAfterMilliseconds) this.crashes = 0;
      return this.restartLater(status);
    });
  }

  private restartLater(status: ExitStatus | Error): void {
    const { firstDelayMilliseconds = 250, longestDelayMilliseconds = 10_000 } = this.options;
    const delayMilliseconds = Math.min(firstDelayMilliseconds * 2 ** this.crashes, longestDelayMilliseconds);
    this.crashes += 1;
    this.options.onCrash(this.options.name, status, this.crashes, delayMilliseconds);
    this.restartTimer = setTimeout(() => {
      this.restarting = this.restart();
    }, delayMilliseconds);
  }

  private async restart(): Promise<void> {
    try {
      this.part = await this.options.start();
    } catch (thrown) {
      if (!this.stopping) this.restartLater(thrown instanceof Error ? thrown : new Error(messageOf(thrown)));
      return;
    }
    this.watch();
    if (!this.stopping) this.options.onRestart(this.options.name);
  }
}

/**
 * Keeps one part of the system running: when it ends on its own it is started again, sooner at first and later when it
 * keeps failing. The first start is the caller's: its failure is thrown, not retried.
 */
import { messageOf } from '../errors.js';
import type { ExitStatus } from '../processes/child-process.js';

/** Anything that runs as a process and can be stopped: a server or a service. */
export interface Supervisable {
  readonly pid: number;
  readonly exited: Promise<ExitStatus>;
  stop(): Promise<void>;
  kill(): void;
}

export interface SupervisionOptions<Part> {
  readonly name: string;
  readonly start: () => Promise<Part>;
  /** Hears that the part ended by itself, and how. `crashes` counts those in a row. */
  readonly onCrash: (name: string, status: ExitStatus | Error, crashes: number, delayMilliseconds: number) => void;
  /** Hears that another process now plays the part. */
  readonly onRestart: (name: string) => void;
  readonly firstDelayMilliseconds?: number;
  readonly longestDelayMilliseconds?: number;
  /** Running this long means healthy: the next crash counts as the first again. */
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

  /** The process that plays the part now, or played it last. */
  get current(): Part {
    return this.part;
  }

  /** Ends supervision, then the process. */
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

// Re-encrypts values that an older encryption key sealed, so that the operator can drop that key. It runs once when the process
// starts, because a new key requires a restart, and logs the result. As a provider, Nest starts and stops it.
import type { Logger } from '../observability/logger.js';
import { SealBrokenError } from './sealer.js';

const PAGE_ROWS = 500;
const RETRY_MS = 30_000;

/** A sealed column of one table. */
export interface SealedRows<Row> {
  /** Plural noun for the log, such as `provider keys`. */
  name: string;
  /** Rows of all tenants after `last`, in key order. */
  page(last: Row | null, limit: number): Promise<Row[]>;
  /** Seals one row with the newest key. Returns false if it already is, or if the row has changed meanwhile. Throws SealBrokenError. */
  renew(row: Row): Promise<boolean>;
}

export class ResealWorker<Row> {
  private work: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private stopping = false;

  constructor(
    private readonly rows: SealedRows<Row>,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.work = this.tryRun();
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.work;
    if (this.timer) clearTimeout(this.timer);
  }

  private async tryRun(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.logger.warn({ err: error }, `Resealing ${this.rows.name} failed; it will be retried`);
      if (!this.stopping) this.timer = setTimeout(() => this.start(), RETRY_MS);
    }
  }

  /** Checks every row once and returns how many were resealed. Safe to run in several processes at once. */
  async run(): Promise<number> {
    const { rows, logger } = this;
    let [renewed, broken] = [0, 0];
    let last: Row | null = null;
    do {
      const page: Row[] = await rows.page(last, PAGE_ROWS);
      for (const row of page) {
        if (this.stopping) return renewed;
        try {
          if (await rows.renew(row)) renewed++;
        } catch (error) {
          if (!(error instanceof SealBrokenError)) throw error;
          broken++;
        }
      }
      last = page.at(-1) ?? null;
    } while (last);
    if (renewed > 0) logger.info({ count: renewed }, `Resealed ${rows.name} with the newest encryption key`);
    if (broken > 0) logger.error({ count: broken }, `Cannot open ${rows.name}: KILN_ENCRYPTION_KEY lacks their key`);
    return renewed;
  }
}

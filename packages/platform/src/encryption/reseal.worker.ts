// Seals values anew that an older encryption key has sealed, so that the operator can drop that one. It looks once when the
// process starts, since a new key comes with a restart, and says what it found.
import type { Logger } from '../observability/logger.js';
import { SealBrokenError } from './sealer.js';

const PAGE_ROWS = 500;
const RETRY_MS = 30_000;

/** A sealed column of one table. */
export interface SealedRows<Row> {
  /** For the log, in the plural: `provider keys`. */
  name: string;
  /** Rows of all tenants in the order of their keys, those after `last`. */
  page(last: Row | null, limit: number): Promise<Row[]>;
  /** Seals one row with the newest key; false when it is already, or was changed meanwhile. Throws SealBrokenError. */
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

  async stop(): Promise<void> {
    this.stopping = true;
    await this.work;
    if (this.timer) clearTimeout(this.timer);
  }

  private async tryRun(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.logger.warn({ err: error }, `${this.rows.name} not all sealed anew; it is tried again`);
      if (!this.stopping) this.timer = setTimeout(() => this.start(), RETRY_MS);
    }
  }

  /** Looks at every row once; answers how many were sealed anew. Safe beside others that do the same. */
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
    if (renewed > 0) logger.info({ count: renewed }, `${rows.name} sealed with the newest encryption key`);
    if (broken > 0) logger.error({ count: broken }, `${rows.name} do not open: KILN_ENCRYPTION_KEY lacks their key`);
    return renewed;
  }
}

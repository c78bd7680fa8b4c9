// Seals provider keys anew that an older encryption key has sealed, so that the operator can drop that one. It looks once when
// the process starts, since a new key comes with a restart, and says what it found.
import { SealBrokenError, type Logger } from '@kiln/platform';
import type { ProviderKeys } from '../adapters/provider-keys.js';
import type { ProviderKeyStore, SealedKey } from '../store/provider-key.store.js';

const PAGE_ROWS = 500;
const RETRY_MS = 30_000;

export interface ResealWorkerOptions {
  keys: ProviderKeyStore;
  sealedKeys: ProviderKeys;
  logger: Logger;
}

export class ResealWorker {
  private work: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | null = null;
  private stopping = false;

  constructor(private readonly options: ResealWorkerOptions) {}

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
      this.options.logger.warn({ err: error }, 'provider keys not all sealed anew; it is tried again');
      if (!this.stopping) this.timer = setTimeout(() => this.start(), RETRY_MS);
    }
  }

  /** Looks at every key once; answers how many were sealed anew. Safe beside others that do the same. */
  async run(): Promise<number> {
    const { keys, sealedKeys, logger } = this.options;
    let [renewed, broken] = [0, 0];
    let last: SealedKey | null = null;
    do {
      const rows: SealedKey[] = await keys.page(last, PAGE_ROWS);
      for (const row of rows) {
        if (this.stopping) return renewed;
        try {
          if (await sealedKeys.renew(row)) renewed++;
        } catch (error) {
          if (!(error instanceof SealBrokenError)) throw error;
          broken++;
        }
      }
      last = rows.at(-1) ?? null;
    } while (last);
    if (renewed > 0) logger.info({ count: renewed }, 'provider keys sealed with the newest encryption key');
    if (broken > 0) logger.error({ count: broken }, 'provider keys do not open: KILN_ENCRYPTION_KEY lacks their key');
    return renewed;
  }
}

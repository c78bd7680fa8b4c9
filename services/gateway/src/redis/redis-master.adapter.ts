// The connection to the master that the sentinels name. It follows each failover, also if the former master is gone without closing its
// connections. While there is no master, commands fail at once, as on a connection without sentinels. Why it is not the sentinel client of
// node-redis: docs/decisions/gateway.md.
import type { Logger } from '@kiln/platform';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { connectRedis, type Redis, type RedisCommands } from './redis.adapter.js';
import { urlOf, type RedisNode } from './redis-sentinels.config.js';
import type { Sentinels } from './sentinels.adapter.js';

/** Time between two questions to a sentinel. */
const CHECK_MS = 1_000;

export class RedisMaster extends EventEmitter<{ ready: [] }> implements RedisCommands {
  private client: Redis | null = null;
  private clientUrl = '';
  private isLost = false;
  private readonly ended = new AbortController();

  /** Returns at once and keeps asking until `destroy`. */
  constructor(
    private readonly url: string,
    private readonly sentinels: Pick<Sentinels, 'master' | 'next' | 'close'>,
    private readonly logger: Logger,
    private readonly checkMs = CHECK_MS,
  ) {
    super();
    void this.follow();
  }

  get isReady(): boolean {
    return this.client?.isReady ?? false;
  }

  readonly eval: Redis['eval'] = (...given) => this.client?.eval(...given) ?? noMaster();
  readonly evalSha: Redis['evalSha'] = (...given) => this.client?.evalSha(...given) ?? noMaster();
  readonly set: Redis['set'] = (...given) => this.client?.set(...given) ?? noMaster();
  readonly zRem: Redis['zRem'] = (...given) => this.client?.zRem(...given) ?? noMaster();

  destroy(): void {
    this.ended.abort();
    this.client?.destroy();
    this.sentinels.close();
  }

  private async follow(): Promise<void> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      await this.check();
      await delay(this.checkMs, undefined, { signal }).catch(() => undefined);
    }
    this.sentinels.close();
  }

  private async check(): Promise<void> {
    if (this.client !== null && !this.isReady) this.sentinels.next();
    try {
      this.connectTo(await this.sentinels.master());
      this.isLost = false;
    } catch (error) {
      if (!this.isLost && !this.ended.signal.aborted) this.logger.warn({ err: error }, 'Redis Sentinel failed');
      this.isLost = true;
    }
  }

  private connectTo(master: RedisNode): void {
    const url = urlOf(this.url, master);
    if (url === this.clientUrl || this.ended.signal.aborted) return;
    this.logger.info(master, 'following the master of Redis');
    this.client?.destroy();
    this.client = connectRedis(url, this.logger);
    this.clientUrl = url;
    this.client.on('ready', () => this.emit('ready'));
  }
}

const noMaster = () => Promise.reject(new Error('the sentinels have named no master of Redis yet'));

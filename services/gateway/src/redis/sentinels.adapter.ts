// Asks the sentinels for the address of the master: https://redis.io/docs/latest/develop/reference/sentinel-clients
import { createClient } from 'redis';
import { tlsOf } from './redis-address.config.js';
import type { RedisNode, SentinelSettings } from './redis-sentinels.config.js';
import { withinMilliseconds } from './within-milliseconds.domain.js';

/** For one sentinel, with its connection. */
const ANSWER_TIMEOUT_MS = 1_000;

export class Sentinels {
  private client: ReturnType<typeof connectSentinel> | null = null;
  private position = 0;

  constructor(
    /** The sentinels have the certificates of this address. */
    private readonly redisUrl: string,
    private readonly settings: SentinelSettings,
  ) {}

  /** Asks one sentinel after the other, beginning with the one that answered last. Throws if none names a master. */
  async master(): Promise<RedisNode> {
    const problems: string[] = [];
    for (const _ of this.settings.nodes) {
      try {
        return await withinMilliseconds(ANSWER_TIMEOUT_MS, this.ask());
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error));
        this.next();
      }
    }
    throw new Error(`no sentinel names the master ${this.settings.master}: ${[...new Set(problems)].join('; ')}`);
  }

  /** Another sentinel answers from now on. The last one may be cut off from the others, and name a former master. */
  next(): void {
    this.close();
    this.position = (this.position + 1) % this.settings.nodes.length;
  }

  close(): void {
    this.client?.destroy();
    this.client = null;
  }

  private async ask(): Promise<RedisNode> {
    const { nodes, master } = this.settings;
    const node = nodes[this.position];
    if (node === undefined) throw new Error('there are no sentinels');
    const client = (this.client ??= connectSentinel(node, this.redisUrl, this.settings));
    if (!client.isReady) await client.connected;
    const answer = await client.sendCommand<[string, string] | null>(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master]);
    if (answer === null) throw new Error(`the sentinel at ${node.host} does not know it`);
    return { host: answer[0], port: Number(answer[1]) };
  }
}

function connectSentinel({ host, port }: RedisNode, redisUrl: string, { username, password }: SentinelSettings) {
  const client = createClient({
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    RESP: 2,
    disableOfflineQueue: true,
    disableClientInfo: true,
    commandOptions: { timeout: 0 },
    socket: { ...tlsOf(redisUrl), host, port, connectTimeout: ANSWER_TIMEOUT_MS, reconnectStrategy: false },
  });
  client.on('error', () => undefined); // The rejected call reports it.
  const connected = client.connect();
  connected.catch(() => undefined);
  return Object.assign(client, { connected });
}

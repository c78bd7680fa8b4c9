// Real: gateway processes, Postgres, NATS, Redis, object store. FAKE: in one test Redis is a server that takes
// connections and stays silent, and then is gone.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kiln/testing';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { newApiKey } from '../keys/api-key.domain.js';
import { ApiKeyStore } from '../keys/api-key.store.js';
import { OrganizationStore } from '../organizations/organization.store.js';
import { GatewayProcess, openDatabase, testSurroundings, type TestSurroundings } from '../test/gateway-process.js';

/** A server that accepts connections and never answers, like a Redis that hangs. */
class SilentServer {
  private readonly sockets = new Set<Socket>();
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(): Promise<SilentServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const silent = new SilentServer(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => silent.sockets.add(socket.on('error', () => undefined)));
    return silent;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('the rate limit', () => {
  let surroundings: TestSurroundings;
  beforeAll(async () => {
    surroundings = await testSurroundings();
  });
  afterAll(async () => {
    await surroundings.close();
  });

  it('lets a burst pass, then answers 429 with Retry-After, on all gateways together', async () => {
    // The bucket gains no token during the test.
    const limits = { KILN_RATE_LIMIT_RPS: '0.001', KILN_RATE_LIMIT_BURST: '10' };
    const gateways = await Promise.all([
      GatewayProcess.startLimited(surroundings, limits),
      GatewayProcess.startLimited(surroundings, limits),
    ]);
    try {
      const answers: Response[] = [];
      for (let request = 0; request < 14; request++) {
        const gateway = gateways[request % 2];
        if (!gateway) throw new Error('no gateway');
        answers.push(await gateway.fetch('/v1/me'));
      }
      const passed = answers.filter(({ status }) => status === 200);
      expect(passed).toHaveLength(10);
      const first = answers[0]?.headers;
      expect([first?.get('ratelimit-limit'), first?.get('ratelimit-remaining')]).toStrictEqual(['10', '9']);
      const last = answers.at(-1);
      if (!last) throw new Error('no answer');
      expect(last.status).toBe(429);
      expect(last.headers.get('ratelimit-remaining')).toBe('0');
      expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(last.headers.get('retry-after'))).toBeLessThanOrEqual(1_000);
      expect(((await last.json()) as { code: string }).code).toBe('RATE_LIMITED');
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.stop()));
    }
  });

  it('gives each plan its own bucket', async () => {
    const limits = { KILN_RATE_LIMIT_PLANS: 'free=1:3,enterprise=5:7', KILN_RATE_LIMIT_BURST: '50' };
    const gateway = await GatewayProcess.start(surroundings, limits);
    const database = await openDatabase(surroundings);
    try {
      const bursts: Record<string, string | null> = {};
      for (const plan of ['free', 'pro', 'enterprise'] as const) {
        const { id } = await new OrganizationStore(database).create(`on ${plan}`, plan);
        const { value, fingerprint } = newApiKey('live');
        await new ApiKeyStore(database).create(id, fingerprint, { name: 'a', scopes: ['*'], expires_at: null });
        const response = await gateway.fetch('/v1/me', { headers: { authorization: `ApiKey ${value}` } });
        bursts[plan] = response.headers.get('ratelimit-limit');
      }
      expect(bursts).toStrictEqual({ free: '3', pro: '50', enterprise: '7' });
    } finally {
      await gateway.stop();
      await database.close();
    }
  });

  it('lets everyone pass while Redis is silent or gone, and counts it', async () => {
    const silent = await SilentServer.start();
    const limits = { KILN_RATE_LIMIT_BURST: '2', KILN_RATE_LIMIT_RPS: '0.1' };
    const gateway = await GatewayProcess.start(surroundings, {
      ...limits,
      REDIS_URL: `redis://127.0.0.1:${silent.port}`,
    });
    try {
      const ask = async () => {
        for (let request = 0; request < 5; request++) {
          const answer = await gateway.fetch('/v1/me');
          expect(answer.status).toBe(200);
          expect(answer.headers.get('ratelimit-limit')).toBe('2');
        }
      };
      await ask();
      await silent.stop();
      await ask();
      const skipped = /^kiln_rate_limit_skipped_total\{.*\} (\d+)/m;
      await eventually(async () => {
        const metrics = await (await fetch(`${gateway.healthUrl}/metrics`)).text();
        expect(skipped.exec(metrics)?.[1]).toBe('10');
      });
      await eventually(async () => {
        const readiness = (await (await gateway.fetch('/readyz')).json()) as { ready: boolean; checks: object };
        expect([readiness.ready, { ...readiness.checks, redis: '' }]).toStrictEqual([
          true,
          { database: 'ok', bus: 'ok', object_store: 'ok', events: 'ok', redis: '' },
        ]);
      });
    } finally {
      await gateway.stop();
    }
  });
});

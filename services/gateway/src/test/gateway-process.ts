// A gateway as a process of its own, on real Postgres, NATS, Redis and object store, each apart from other tests'.
import { send } from '@kiln/openapi-check/send';
import { Database, migrateService } from '@kiln/platform';
import type { ObjectStore } from '@kiln/storage';
import { createS3ObjectStore } from '@kiln/storage/s3';
import {
  compileCache,
  announcedPort,
  createTestDatabase,
  eventually,
  testInfrastructure,
  testNamespace,
  type TestDatabase,
  type TestInfrastructure,
  TEST_DATABASE_TIMEOUTS,
} from '@kiln/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { entities } from '../entities.js';
import { migrations } from '../migrations/index.js';

const ENTRY = fileURLToPath(new URL('../main.js', import.meta.url));

const STARTS_MAX = 5;

export const TEST_KEY = `kiln_live_${'A'.repeat(43)}`;

/** All gateways of a test file share the key, so that one may open what another has sealed. */
export const ENCRYPTION_KEY = randomBytes(32).toString('base64');

export type LogLine = Record<string, unknown>;

/** The servers that gateways of one test file share. */
export interface TestSurroundings {
  infrastructure: TestInfrastructure;
  database: TestDatabase;
  namespace: string;
  store: ObjectStore;
  close(): Promise<void>;
}

export async function testSurroundings(): Promise<TestSurroundings> {
  const infrastructure = await testInfrastructure();
  const database = await createTestDatabase();
  await migrateService({ service: 'gateway', migrations, databaseUrl: database.url });
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = infrastructure.storage;
  const store = createS3ObjectStore({ endpoint, bucket, region, accessKeyId, secretAccessKey, forcePathStyle: true });
  await store.ensureBucket();
  const close = async () => {
    store.close();
    await database.drop();
  };
  return { infrastructure, database, namespace: testNamespace(), store, close };
}

/** Connections of the test itself to the schema of the gateways. */
export function openDatabase({ database: { url } }: Pick<TestSurroundings, 'database'>): Promise<Database> {
  const options = {
    url,
    schema: 'gateway',
    entities,
    connectionsMax: 2,
    ...TEST_DATABASE_TIMEOUTS,
  };
  return Database.open(options, () => undefined);
}

export class GatewayProcess {
  readonly logs: LogLine[] = [];
  url = '';
  healthUrl = '';
  private constructor(readonly child: ChildProcess) {}

  static async start(surroundings: TestSurroundings, environment: Record<string, string> = {}) {
    const gateway = await GatewayProcess.spawnListening(surroundings, environment);
    await eventually(async () => {
      if (gateway.child.exitCode !== null) throw new Error(`the gateway ended: ${gateway.errors}`);
      const response = await fetch(`${gateway.url}/readyz`);
      return response.status === 200 || Promise.reject(new Error(await response.text()));
    });
    return gateway;
  }

  /** Starts a gateway that limits rates, however slowly Redis answers on a busy machine. */
  static async startLimited(surroundings: TestSurroundings, environment: Record<string, string>) {
    const gateway = await GatewayProcess.start(surroundings, { KILN_RATE_LIMIT_TIMEOUT_MS: '60000', ...environment });
    await eventually(async () => {
      const { checks } = (await (await fetch(`${gateway.url}/readyz`)).json()) as { checks: { redis: string } };
      return checks.redis === 'ok';
    });
    return gateway;
  }

  /** On a busy machine the database may answer too late for a start. Then it is repeated, as an orchestrator does. */
  private static async spawnListening(...given: Parameters<typeof GatewayProcess.spawn>): Promise<GatewayProcess> {
    for (let starts = 1; ; starts++) {
      const gateway = await GatewayProcess.spawn(...given);
      try {
        await gateway.listens();
        return gateway;
      } catch (error) {
        if (starts === STARTS_MAX || !gateway.errors.includes('database is not available')) throw error;
      }
    }
  }

  static async spawn({ infrastructure, database, namespace }: TestSurroundings, environment: Record<string, string>) {
    const { storage } = infrastructure;
    const child = spawn(process.execPath, [ENTRY], {
      env: {
        ...compileCache,
        KILN_PORT: '0',
        KILN_HEALTH_PORT: '0',
        // No balancer waits to notice that it stops.
        KILN_DRAIN_NOTICE_SECONDS: '0',
        KILN_BUS_NAMESPACE: namespace,
        // As long as a test may take.
        KILN_DATABASE_STATEMENT_TIMEOUT_MS: '180000',
        KILN_API_KEY: TEST_KEY,
        DATABASE_URL: database.url,
        NATS_URL: infrastructure.natsUrl,
        KILN_ENCRYPTION_KEY: ENCRYPTION_KEY,
        REDIS_URL: infrastructure.redisUrl,
        KILN_STORAGE_ENDPOINT: storage.endpoint,
        KILN_STORAGE_REGION: storage.region,
        KILN_STORAGE_BUCKET: storage.bucket,
        KILN_STORAGE_ACCESS_KEY_ID: storage.accessKeyId,
        KILN_STORAGE_SECRET_ACCESS_KEY: storage.secretAccessKey,
        KILN_STORAGE_FORCE_PATH_STYLE: 'true',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const gateway = new GatewayProcess(child);
    if (!child.stdout || !child.stderr) throw new Error('no pipes');
    createInterface({ input: child.stdout }).on('line', (line) => gateway.logs.push(JSON.parse(line) as LogLine));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (gateway.errors += text));
    return gateway;
  }

  errors = '';

  /** Waits until it has announced its ports. */
  private async listens(): Promise<void> {
    const ports = [announcedPort(this.child, 'gateway'), announcedPort(this.child, 'health')];
    const [port, healthPort] = await Promise.all(ports).catch((error: unknown) => {
      throw new Error(`the gateway did not start: ${this.errors}`, { cause: error });
    });
    this.url = `http://127.0.0.1:${port}`;
    this.healthUrl = `http://127.0.0.1:${healthPort}`;
  }

  /** Sends a request with the bootstrap key, unless `headers` name other credentials. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) headers.set('authorization', `ApiKey ${TEST_KEY}`);
    return send(new Request(`${this.url}${path}`, { ...init, headers }));
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.fetch(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  }

  /** Waits until the process ends by itself. Returns its exit code. */
  async ended(): Promise<number | null> {
    if (this.child.exitCode === null) await once(this.child, 'close');
    return this.child.exitCode;
  }

  /** Ends the process as an orchestrator would. Returns its exit code. */
  async stop(): Promise<number | null> {
    if (this.child.exitCode !== null) return this.child.exitCode;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
    return this.child.exitCode;
  }
}

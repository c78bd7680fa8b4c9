/** Three NATS servers with JetStream, as one cluster on loopback. */
import { ChildProcess, eventually, findServer, freePort } from '@kiln/dev';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../place.js';

const NAMES = ['one', 'two', 'three'] as const;
export type ServerName = (typeof NAMES)[number];
type Ports = Record<'client' | 'cluster' | 'monitor', number>;

interface Placed {
  name: string;
  cluster?: { leader?: string };
}

interface Places {
  account_details?: { stream_detail?: { consumer_detail?: Placed[] }[] }[];
}

export class NatsCluster {
  readonly names = NAMES;
  private readonly password = randomBytes(12).toString('hex');
  private readonly running = new Map<ServerName, ChildProcess>();

  private constructor(
    private readonly place: Place,
    private readonly ports: Readonly<Record<ServerName, Ports>>,
  ) {}

  static async start(place: Place): Promise<NatsCluster> {
    const cluster = new NatsCluster(place, {
      one: await threePorts(),
      two: await threePorts(),
      three: await threePorts(),
    });
    place.atEnd(() => Promise.all([...cluster.running.values()].map((server) => server.stop())));
    await Promise.all(NAMES.map((name) => cluster.launch(name)));
    await Promise.all(NAMES.map((name) => cluster.untilHealthy(name)));
    return cluster;
  }

  get url(): string {
    return NAMES.map((name) => `nats://kiln:${this.password}@127.0.0.1:${this.ports[name].client}`).join(',');
  }

  /** The server that leads a consumer: what the consumer receives passes it. */
  leaderOf(consumer: string): Promise<ServerName> {
    return eventually(async () => {
      const response = await fetch(`http://127.0.0.1:${this.ports.one.monitor}/jsz?consumers=true`);
      const { account_details: accounts = [] } = (await response.json()) as Places;
      const streams = accounts.flatMap(({ stream_detail: details = [] }) => details);
      const consumers = streams.flatMap(({ consumer_detail: details = [] }) => details);
      const leader = consumers.find(({ name }) => name === consumer)?.cluster?.leader;
      const known = NAMES.find((name) => name === leader);
      if (known === undefined) throw new Error(`${consumer} has no leader`);
      return known;
    });
  }

  async kill(name: ServerName): Promise<void> {
    const server = this.running.get(name);
    server?.kill();
    await server?.exited;
  }

  loseDisk(name: ServerName): void {
    rmSync(join(this.folderOf(name), 'jetstream'), { recursive: true });
  }

  /** Resolves when the server has caught up with the others. */
  async restart(name: ServerName): Promise<void> {
    await this.launch(name);
    await this.untilHealthy(name);
  }

  private folderOf(name: ServerName): string {
    return this.place.folder(`nats-${name}`);
  }

  private async launch(name: ServerName): Promise<void> {
    const options = this.place.optionsOf(`nats-${name}`);
    mkdirSync(options.directory, { recursive: true });
    const program = await findServer('nats-server', options);
    const configPath = join(options.directory, 'nats.conf');
    writeFileSync(configPath, this.configuration(name), { mode: 0o600 });
    const child = await ChildProcess.start({
      name: `nats-${name}`,
      command: program.path,
      arguments: ['--config', configPath],
      environment: program.environment,
      workingDirectory: options.directory,
      logPath: join(options.directory, 'nats.log'),
      registry: options.registry,
      background: true,
    });
    this.running.set(name, child);
  }

  private untilHealthy(name: ServerName): Promise<unknown> {
    const url = `http://127.0.0.1:${this.ports[name].monitor}/healthz`;
    return eventually(async () => (await fetch(url)).status === 200);
  }

  private configuration(name: ServerName): string {
    const { client, cluster, monitor } = this.ports[name];
    const routes = NAMES.map((other) => `"nats://127.0.0.1:${this.ports[other].cluster}"`);
    return `server_name: ${name}
listen: "127.0.0.1:${client}"
http: "127.0.0.1:${monitor}"
max_payload: 1MB
jetstream { store_dir: ${JSON.stringify(join(this.folderOf(name), 'jetstream'))}, max_memory_store: 64MB }
cluster { name: kiln, listen: "127.0.0.1:${cluster}", routes: [${routes.join(', ')}] }
authorization { user: kiln, password: "${this.password}" }
`;
  }
}

async function threePorts(): Promise<Ports> {
  return { client: await freePort(), cluster: await freePort(), monitor: await freePort() };
}

/**
 * Starts the whole system in order (lock, leftovers, servers, migrations, services), supervises it, and stops it in reverse order.
 * It stops everything it started, and nothing else.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { LauncherError } from '../errors.js';
import { ProcessRegistry } from '../processes/process-registry.js';
import type { RunningServer } from '../servers/server.js';
import { makeDirectory } from '../servers/server.js';
import { apiKeyFor } from './api-key.js';
import type { LauncherConfig } from './config.js';
import { assertConnectionsFit } from './assert-connections-fit.js';
import { describeCrash } from './describe-crash.js';
import { encryptionKeyFor } from './encryption-key.js';
import type { DataDirectoryLock } from './data-directory-lock.js';
import { lockDataDirectory } from './data-directory-lock.js';
import { hasEmbeddings, localModels } from './local-models.js';
import { gatewayPort, reachableHost } from './gateway-address.js';
import type { MigrationTargets } from './migrations.js';
import type { Progress } from './progress.js';
import { Fronts } from './fronts.js';
import { reportConsole, type SignInLink } from './sign-in-link.js';
import { reportIsolation } from './report-isolation.js';
import type { SupervisedService } from './run-json.js';
import { writeRunJson } from './run-json.js';
import type { Servers } from './servers.js';
import { startServers } from './servers.js';
import type { PlannedService } from './services.js';
import { planServices, readersOf, startService } from './services.js';
import { Supervisor } from './supervisor.js';
import { waitUntilReady } from './wait-until-ready.js';
import { processName, replicated, type ProcessDescription, type SystemFacts } from './topology.js';

export interface LauncherOptions {
  readonly config: LauncherConfig;
  readonly topology: readonly ProcessDescription[];
  /** The folder with `<service>/dist/main.js` and `<service>/dist/migrations`. */
  readonly servicesDirectory: string;
  /** Returns the number of applied migrations. */
  readonly migrate: (targets: MigrationTargets) => Promise<number>;
  readonly signInLink?: SignInLink;
  readonly progress: Progress;
}

/** A service that crashes this often before the system was ready makes the start fail. */
const CRASHES_BEFORE_GIVING_UP = 5;
const NO_EMBEDDINGS = 'no embedding model: searches are by words only. Add one with: npm run kiln -- models pull';
/** Stopped in reverse order of start. */
const STOP_ORDER = ['models', 'object-store', 'redis', 'nats', 'postgres'];

export class Launcher {
  private readonly registry: ProcessRegistry;
  private readonly ownServers = new Map<string, Supervisor<RunningServer>>();
  private readonly services: SupervisedService[] = [];
  private readonly topology: readonly ProcessDescription[];
  private readonly fronts = new Fronts();
  private servers: Servers | undefined;
  private lock: DataDirectoryLock | undefined;
  private starting: Promise<string> | undefined;
  private failure: LauncherError | undefined;
  private isReady = false;
  private baseUrl = '';

  constructor(private readonly options: LauncherOptions) {
    this.registry = new ProcessRegistry(join(options.config.dataDirectory, 'pids.json'));
    this.topology = replicated(options.topology, options.config.replicas);
  }

  /** Resolves with the base URL when every process is ready. If it rejects, call stop() to stop what was started. */
  start(): Promise<string> {
    this.starting ??= this.bringUp();
    return this.starting;
  }

  /** Stops everything that was started, also during a start. */
  async stop(): Promise<void> {
    this.failure ??= new LauncherError('start_cancelled', 'Stopped before it was ready.');
    await this.starting?.catch(() => undefined);
    await Promise.all(this.services.map(({ supervisor }) => supervisor.stop()));
    this.fronts.close();
    for (const name of STOP_ORDER) await this.ownServers.get(name)?.stop();
    if (this.lock) rmSync(join(this.options.config.dataDirectory, 'run.json'), { force: true });
    this.lock?.release();
  }

  /** Sends SIGKILL to everything that was started, on a second Ctrl-C. */
  killAll(): void {
    this.registry.killAll();
    this.lock?.release();
  }

  private async bringUp(): Promise<string> {
    const { config, progress, servicesDirectory } = this.options;
    const { topology } = this;
    makeDirectory(config.dataDirectory);
    this.lock = lockDataDirectory(config.dataDirectory);
    const leftovers = await this.registry.clearLeftovers();
    if (leftovers.length > 0) progress.step(`stopped leftovers of an earlier run: ${leftovers.join(', ')}`);
    const port = await gatewayPort(config);
    this.baseUrl = `http://${reachableHost(config.host)}:${port}`;
    const plan = await planServices(topology, servicesDirectory);

    const token = randomBytes(24).toString('hex');
    await this.fronts.ofGateways(plan, config.host, port);
    const arrivals = { url: `${await this.fronts.ofArrivals(plan)}/storage-events`, token };
    const models = localModels(config);
    const servers = await startServers(config, this.registry, arrivals, models, {
      report: progress.step,
      onStarted: (name, server) => this.ownServers.set(name, server),
      onCrash: (name, status, _crashes, delay) => progress.warn(describeCrash(name, status, delay)),
      onRestart: (name) => this.restarted(name),
    });
    this.servers = servers;
    this.continueOrThrow();
    await assertConnectionsFit(topology, config.databaseConnections, servers.postgres.url);
    const services = topology.map(({ service }) => service);
    const applied = await this.options.migrate({ services, servicesDirectory, databaseUrl: servers.postgres.url });
    if (applied > 0) progress.step(`applied ${applied} migrations`);
    this.continueOrThrow();
    const { apiKey, isNew } = apiKeyFor(config.dataDirectory, config.apiKey);
    const modelVariables = models && servers.models ? models.variablesFor(servers.models.url) : {};
    await this.startServices(plan, modelVariables, {
      gateway: { host: config.host, port, apiKey },
      databaseUrl: servers.postgres.url,
      databaseConnections: config.databaseConnections,
      natsUrlOf: servers.nats.urlOf,
      redisUrl: servers.redis.url,
      storage: servers.objectStore.storage,
      storageEventsToken: token,
      scratchDirectory: join(config.dataDirectory, 'scratch'),
      encryptionKey: encryptionKeyFor(config.dataDirectory, config.encryptionKey),
      bearerTokens: config.bearerTokens,
      redisSentinels: config.redisSentinels,
      ownIdentity: config.ownIdentity,
    });
    await waitUntilReady(this.healthUrls(), {
      isFailed: () => this.failure !== undefined,
      dataDirectory: config.dataDirectory,
    });
    this.continueOrThrow();
    this.isReady = true;
    progress.step('every process is ready');
    if (!hasEmbeddings(models, config)) progress.step(NO_EMBEDDINGS);
    // Replicas have the same: they run on one machine.
    const [reader] = readersOf(plan);
    if (reader) await reportIsolation(reader.healthUrl, progress);
    if (isNew) progress.step(`API key (stored in ${join(config.dataDirectory, 'api-key')}): ${apiKey}`);
    await reportConsole(this.options, servers.postgres.url, this.baseUrl);
    return this.baseUrl;
  }

  private callbackUrl(): string {
    return this.options.config.inherited['KILN_PUBLIC_URL'] ?? this.baseUrl;
  }

  private async startServices(
    plan: readonly PlannedService[],
    modelVariables: Readonly<Record<string, string>>,
    system: SystemFacts,
  ): Promise<void> {
    const { config, progress } = this.options;
    makeDirectory(system.scratchDirectory, 0o700);
    const surroundings = {
      system,
      dataDirectory: config.dataDirectory,
      // Own extractors on this machine call back to the gateway.
      inherited: { KILN_CALLBACK_URL: this.callbackUrl(), ...modelVariables, ...config.inherited },
      registry: this.registry,
    };
    await Promise.all(
      plan.map(async (planned) => {
        const supervisor = await Supervisor.start({
          name: planned.name,
          start: () => startService(planned, surroundings),
          onCrash: (name, status, crashes, delay) => {
            const tail = supervisor.current.logTail(15);
            progress.warn(describeCrash(name, status, delay, this.isReady ? undefined : tail));
            if (!this.isReady && crashes >= CRASHES_BEFORE_GIVING_UP) {
              this.failure ??= new LauncherError(
                'service_start_failed',
                `${name} ended ${crashes} times while starting. Its log: ${join(config.dataDirectory, 'logs', `${name}.log`)}`,
              );
            }
          },
          onRestart: (name) => this.restarted(name),
        });
        this.services.push({ plan: planned, supervisor });
      }),
    );
    progress.step(`started ${plan.length} processes`);
    this.writeRunJson();
  }

  /** The readiness URLs of all processes and of the gateway's public address, by name. */
  private healthUrls(): Map<string, string> {
    const urls = new Map(this.services.map(({ plan }) => [plan.name, `${plan.healthUrl}/readyz`]));
    return urls.set(this.baseUrl, `${this.baseUrl}/readyz`);
  }

  private restarted(name: string): void {
    this.options.progress.step(`${name} is running again`);
    this.writeRunJson();
  }

  private writeRunJson(): void {
    if (!this.servers) return;
    // Started in parallel, listed in the order of the topology.
    const order = this.topology.map(processName);
    const listed = this.services.toSorted((a, b) => order.indexOf(a.plan.name) - order.indexOf(b.plan.name));
    writeRunJson(this.options.config.dataDirectory, this.baseUrl, this.servers, listed);
  }

  private continueOrThrow(): void {
    if (this.failure) throw this.failure;
  }
}

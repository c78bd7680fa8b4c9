/** Kiln's processes: each is started from its compiled entry point, logs to its own file, and is checked for readiness. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LauncherError } from '../errors.js';
import { ChildProcess } from '../processes/child-process.js';
import { freePort } from '../processes/free-port.js';
import type { ProcessRegistry } from '../processes/process-registry.js';
import { compileCache } from '../repository.js';
import type { Supervisable } from './supervisor.js';
import type { ProcessDescription, SystemFacts } from './topology.js';
import { environmentOf, processName } from './topology.js';

/** A machine without namespaces still reads documents; the operator's own value wins. The worker's /readyz says what is in force. */
const FOR_READERS = { KILN_EXTRACTION_ISOLATION: 'preferred' };

/** A process with the port and log file that it keeps across restarts. */
export interface PlannedService extends ProcessDescription {
  readonly name: string;
  readonly entry: string;
  readonly healthPort: number;
  readonly healthUrl: string;
  /** Of a gateway with replicas: the port at which it listens, behind the address of all. */
  readonly port?: number;
}

export interface RunningService extends Supervisable {
  /** The last lines it logged. */
  logTail(lines: number): string;
}

/** Chooses every process's health port and finds its entry point. Throws `entry_missing` with the names of all that are not built. */
export async function planServices(
  topology: readonly ProcessDescription[],
  servicesDirectory: string,
): Promise<PlannedService[]> {
  const planned: PlannedService[] = [];
  const gateways = topology.filter(isGateway);
  for (const description of topology) {
    const healthPort = await freePort();
    planned.push({
      ...description,
      name: processName(description),
      entry: join(description.servicesDirectory ?? servicesDirectory, description.service, 'dist/main.js'),
      healthPort,
      healthUrl: `http://127.0.0.1:${healthPort}`,
      ...(gateways.length > 1 && isGateway(description) && { port: await freePort() }),
    });
  }
  const missing = [...new Set(planned.map(({ entry }) => entry).filter((entry) => !existsSync(entry)))];
  if (missing.length > 0) {
    const list = missing.map((entry) => `\n  ${entry}`).join('');
    throw new LauncherError('entry_missing', `Not built yet:${list}\nRun: npm run build`);
  }
  return planned;
}

const isGateway = ({ needs }: ProcessDescription) => needs.includes('edge');

/** The processes that read documents. */
export function readersOf(plan: readonly PlannedService[]): PlannedService[] {
  return plan.filter(({ needs }) => needs.includes('scratch'));
}

export interface ServiceSurroundings {
  readonly system: SystemFacts;
  readonly dataDirectory: string;
  readonly inherited: Readonly<Record<string, string>>;
  readonly registry: ProcessRegistry;
}

const systemFor = ({ port }: PlannedService, system: SystemFacts): SystemFacts =>
  port === undefined ? system : { ...system, gateway: { ...system.gateway, host: '127.0.0.1', port } };

/** MiB. A small young generation lets idle services return memory. Whole documents pass through the worker, which has a larger one. */
const SEMI_SPACE_MIB = 4;
const WORKER_SEMI_SPACE_MIB = 16;

export async function startService(plan: PlannedService, surroundings: ServiceSurroundings): Promise<RunningService> {
  const readsDocuments = plan.needs.includes('scratch');
  const child = await ChildProcess.start({
    name: plan.name,
    command: process.execPath,
    arguments: [`--max-semi-space-size=${readsDocuments ? WORKER_SEMI_SPACE_MIB : SEMI_SPACE_MIB}`, plan.entry],
    environment: {
      ...compileCache,
      ...(readsDocuments ? FOR_READERS : {}),
      ...surroundings.inherited,
      ...environmentOf(plan, systemFor(plan, surroundings.system), plan.healthPort),
    },
    workingDirectory: surroundings.dataDirectory,
    logPath: join(surroundings.dataDirectory, 'logs', `${plan.name}.log`),
    registry: surroundings.registry,
  });
  return {
    pid: child.pid,
    exited: child.exited,
    stop: async () => void (await child.stop('SIGTERM', 15_000)),
    kill: () => child.kill(),
    logTail: (lines) => child.log.tail(lines),
  };
}

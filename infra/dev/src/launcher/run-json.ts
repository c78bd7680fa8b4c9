/** `run.json`: all addresses, for users, tests and benches. It contains secrets, so only its owner can read it. */
import { join } from 'node:path';
import { replaceFile } from '../processes/replace-file.js';
import type { ServerInUse, Servers } from './servers.js';
import type { PlannedService, RunningService } from './services.js';
import type { Supervisor } from './supervisor.js';

/** The content of the file. A server that was configured rather than started has no pid. */
export interface RunJson {
  readonly base_url: string;
  readonly services: readonly {
    readonly name: string;
    readonly role: string;
    readonly pid: number;
    readonly health_url: string;
    readonly metrics_url: string;
    /** Of a gateway with replicas: its own address. `base_url` is that of all. */
    readonly url?: string;
  }[];
  readonly postgres: { readonly pid: number | null; readonly url: string };
  readonly nats: { readonly pid: number | null; readonly url: string };
  readonly redis: { readonly pid: number | null; readonly url: string };
  readonly object_store: {
    readonly pid: number | null;
    readonly url: string;
    readonly access_key_id: string;
    readonly secret_access_key: string;
    readonly bucket: string;
  };
}

export interface SupervisedService {
  readonly plan: PlannedService;
  readonly supervisor: Supervisor<RunningService>;
}

export function writeRunJson(
  dataDirectory: string,
  baseUrl: string,
  servers: Servers,
  services: readonly SupervisedService[],
): void {
  const { storage } = servers.objectStore;
  const content: RunJson = {
    base_url: baseUrl,
    services: services.map(({ plan, supervisor }) => ({
      name: plan.service,
      role: plan.role,
      pid: supervisor.current.pid,
      health_url: plan.healthUrl,
      metrics_url: `${plan.healthUrl}/metrics`,
      ...(plan.port !== undefined && { url: `http://127.0.0.1:${plan.port}` }),
    })),
    postgres: describe(servers.postgres),
    nats: describe(servers.nats),
    redis: describe(servers.redis),
    object_store: {
      ...describe(servers.objectStore),
      access_key_id: storage.accessKeyId,
      secret_access_key: storage.secretAccessKey,
      bucket: storage.bucket,
    },
  };
  replaceFile(join(dataDirectory, 'run.json'), `${JSON.stringify(content, undefined, 2)}\n`);
}

function describe({ url, own }: ServerInUse): { pid: number | null; url: string } {
  return { pid: own?.current.pid ?? null, url };
}

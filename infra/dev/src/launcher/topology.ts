/** The whole system as data: every process of Kiln with its variables. A process gets only the addresses and secrets that it needs. */
import type { ExternalStorage } from './config.js';

/** Addresses and secrets of the running system. */
export interface SystemFacts {
  readonly gateway: { readonly host: string; readonly port: number; readonly apiKey: string };
  readonly databaseUrl: string;
  /** Maximum Postgres connections per process. */
  readonly databaseConnections: number;
  /** The address of NATS with the login of a service. */
  readonly natsUrlOf: (service: string) => string;
  readonly redisUrl: string;
  /** KILN_REDIS_*: the sentinels of a Redis of the operator. */
  readonly redisSentinels: Readonly<Record<string, string>>;
  readonly storage: ExternalStorage;
  /** The bearer token of the object store's notifications to the files service. */
  readonly storageEventsToken: string;
  readonly scratchDirectory: string;
  /** Seals the secrets that services store. */
  readonly encryptionKey: string;
  /** KILN_JWT_*: issuer and audience of bearer tokens. */
  readonly bearerTokens: Readonly<Record<string, string>>;
  /** Kiln's identity at AWS, whose SDK reads these variables, and as the issuer of tokens for Google. */
  readonly ownIdentity: Readonly<Record<string, string>>;
}

const grants = {
  database: (system: SystemFacts) => ({
    DATABASE_URL: system.databaseUrl,
    KILN_DATABASE_CONNECTIONS: String(system.databaseConnections),
  }),
  bus: (system: SystemFacts, service: string) => ({ NATS_URL: system.natsUrlOf(service) }),
  cache: (system: SystemFacts) => ({ REDIS_URL: system.redisUrl, ...system.redisSentinels }),
  objects: ({ storage }: SystemFacts) =>
    storage.otherProvider ?? {
      KILN_STORAGE_ENDPOINT: storage.endpoint,
      KILN_STORAGE_REGION: storage.region,
      KILN_STORAGE_BUCKET: storage.bucket,
      KILN_STORAGE_ACCESS_KEY_ID: storage.accessKeyId,
      KILN_STORAGE_SECRET_ACCESS_KEY: storage.secretAccessKey,
      KILN_STORAGE_FORCE_PATH_STYLE: String(storage.forcePathStyle),
    },
  arrivals: (system: SystemFacts) => ({ KILN_STORAGE_EVENTS_TOKEN: system.storageEventsToken }),
  encryption: (system: SystemFacts) => ({ KILN_ENCRYPTION_KEY: system.encryptionKey }),
  tokens: (system: SystemFacts) => ({ ...system.bearerTokens }),
  identity: (system: SystemFacts) => ({ ...system.ownIdentity }),
  scratch: (system: SystemFacts) => ({ KILN_SCRATCH_DIR: system.scratchDirectory }),
  edge: ({ gateway }: SystemFacts) => ({
    KILN_HOST: gateway.host,
    KILN_PORT: String(gateway.port),
    KILN_API_KEY: gateway.apiKey,
  }),
} satisfies Record<string, (system: SystemFacts, service: string) => Record<string, string>>;

export interface ProcessDescription {
  readonly service: string;
  readonly role: 'api' | 'worker' | 'all';
  readonly needs: readonly (keyof typeof grants)[];
  /** 2 and higher for further processes of the same kind. */
  readonly replica?: number;
  /** Where its build is, if it is not of this release. */
  readonly servicesDirectory?: string;
}

export const topology: readonly ProcessDescription[] = [
  {
    service: 'gateway',
    role: 'api',
    needs: ['database', 'bus', 'cache', 'objects', 'encryption', 'tokens', 'edge'],
  },
  { service: 'files', role: 'api', needs: ['database', 'bus', 'objects', 'arrivals'] },
  { service: 'jobs', role: 'api', needs: ['database', 'bus', 'encryption'] },
  { service: 'jobs', role: 'worker', needs: ['database', 'bus', 'objects', 'scratch', 'encryption'] },
  { service: 'search', role: 'api', needs: ['database', 'bus', 'objects', 'encryption'] },
  { service: 'connections', role: 'all', needs: ['database', 'bus', 'encryption', 'identity'] },
  { service: 'webhooks', role: 'all', needs: ['database', 'bus', 'encryption'] },
  { service: 'analytics', role: 'api', needs: ['database', 'bus'] },
];

/** Each process as often as `count` says. */
export function replicated(processes: readonly ProcessDescription[], count: number): ProcessDescription[] {
  const further = Array.from({ length: count - 1 }, (_, index) => index + 2);
  return processes.flatMap((process) => [process, ...further.map((replica) => ({ ...process, replica }))]);
}

/** The name of a process in logs, `pids.json` and messages. */
export function processName({
  service,
  role,
  replica,
}: Pick<ProcessDescription, 'service' | 'role' | 'replica'>): string {
  return replica === undefined ? `${service}-${role}` : `${service}-${role}-${replica}`;
}

/** The variables of a process, in addition to the inherited ones. */
export function environmentOf(
  description: ProcessDescription,
  system: SystemFacts,
  healthPort: number,
): Record<string, string> {
  const granted: Record<string, string>[] = description.needs.map((need) => grants[need](system, description.service));
  return Object.assign(
    {
      KILN_ROLE: description.role,
      KILN_HEALTH_HOST: '127.0.0.1',
      KILN_HEALTH_PORT: String(healthPort),
    },
    ...granted,
  ) as Record<string, string>;
}

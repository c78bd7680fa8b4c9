// The expected processes and variables of a deployment, derived from the launcher's topology, so that there is one list of processes.
import { environmentOf, topology } from '@kiln/dev';

export interface ExpectedProcess {
  /** The name in docker-compose.yml and k8s/: `files`; `jobs-api` for one of several processes of a service. */
  readonly name: string;
  readonly service: string;
  readonly role: string;
  /** The required variables. */
  readonly variables: readonly string[];
  /** Variables of other processes that it must not receive. */
  readonly forbidden: readonly string[];
}

const anything = 'anything';
/** Only the names of the resulting variables matter. */
const system = {
  gateway: { host: anything, port: 1, apiKey: anything },
  databaseUrl: anything,
  databaseConnections: 10,
  natsUrlOf: () => anything,
  redisUrl: anything,
  redisSentinels: {},
  storage: {
    endpoint: anything,
    region: anything,
    bucket: anything,
    accessKeyId: anything,
    secretAccessKey: anything,
    forcePathStyle: true,
  },
  storageEventsToken: anything,
  scratchDirectory: anything,
  encryptionKey: anything,
  bearerTokens: {
    KILN_JWT_JWKS_URL: anything,
    KILN_JWT_PUBLIC_KEY: anything,
    KILN_JWT_ISSUER: anything,
    KILN_JWT_AUDIENCE: anything,
  },
  ownIdentity: {},
};

const described = topology.map((description) => ({
  description,
  variables: Object.keys(environmentOf(description, system, 1)),
}));
const everyVariable = [...new Set(described.flatMap(({ variables }) => variables))];

export const expectedProcesses: readonly ExpectedProcess[] = described.map(({ description, variables }) => {
  const { service, role } = description;
  const isAlone = topology.filter((other) => other.service === service).length === 1;
  return {
    name: isAlone ? service : `${service}-${role}`,
    service,
    role,
    variables,
    forbidden: everyVariable.filter((name) => !variables.includes(name)),
  };
});

export const expectedServices: readonly string[] = [...new Set(topology.map(({ service }) => service))];

/** Variables whose values are or contain secrets. */
export const SECRET =
  /(^|_)(DATABASE_URL|NATS_URL|REDIS_URL|API_KEY|PASSWORD|NATS_PASSWORD_[A-Z]+|TOKEN|ACCESS_KEY_ID|SECRET_ACCESS_KEY|ENCRYPTION_KEY|OIDC_KEY|REDISCLI_AUTH)$/;

/** Whether an image has a digest, or a fixed version: not `latest`, nor a tag that moves with releases. A release of SeaweedFS has two numbers. */
export function isPinned(image: string): boolean {
  const [, tag = '', digest] = /^[^:@]+(?:\/[^:@]+)*:([^:@/]+)(@sha256:[0-9a-f]{64})?$/.exec(image) ?? [];
  return digest !== undefined || /^v?\d+\.\d+\.\d+/.test(tag) || /\/seaweedfs:\d+\.\d+$/.test(image);
}

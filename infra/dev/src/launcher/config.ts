/**
 * Reads the environment of `npm start`. All problems are reported together. As for the services, `<NAME>_FILE` may name a file that
 * contains the value of a variable.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { LauncherError } from '../errors.js';
import { repositoryDirectory } from '../repository.js';
import { DEFAULT_CONNECTIONS } from './connection-budget.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface LauncherConfig {
  /** KILN_HOST: where the gateway listens. Default 127.0.0.1; everything else listens on loopback regardless. */
  readonly host: string;
  /** KILN_PORT. Default 8080; 0 picks a free one. */
  readonly port: number;
  /** KILN_DATA_DIR, absolute. Default `.kiln` in the checkout. Two launchers cannot share one. */
  readonly dataDirectory: string;
  /** KILN_API_KEY: the first live key. Default: created and stored in the data directory. */
  readonly apiKey: string | undefined;
  /** KILN_ENCRYPTION_KEY: one or several keys, comma-separated, newest first; each 32 bytes as base64. Default: created and stored. */
  readonly encryptionKey: string | undefined;
  /** Your own servers. The launcher does not start these. */
  readonly external: {
    readonly databaseUrl: string | undefined;
    /** The servers of a cluster are separated by commas. */
    readonly natsUrl: string | undefined;
    readonly redisUrl: string | undefined;
    readonly storage: ExternalStorage | undefined;
  };
  /** KILN_REPLICAS: how often each process runs, from 1 to 4. Default 1. */
  readonly replicas: number;
  /** KILN_DATABASE_CONNECTIONS: maximum Postgres connections per process. Default 10, with replicas less. */
  readonly databaseConnections: number;
  /** KILN_JWT_*: for the gateway only, which verifies bearer tokens. */
  readonly bearerTokens: Readonly<Record<string, string>>;
  /** KILN_REDIS_*: for the gateway only. */
  readonly redisSentinels: Readonly<Record<string, string>>;
  /** AWS_* and KILN_CONNECTIONS_OIDC_*: for the connections service only, which signs in to clouds as Kiln. */
  readonly ownIdentity: Readonly<Record<string, string>>;
  /** Passed to every service unchanged: other KILN_* variables, OTEL_*, proxies, locale, PATH. */
  readonly inherited: Readonly<Record<string, string>>;
}

export interface ExternalStorage {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: boolean;
  /** Variables of a store without S3 protocol. The services parse them; the fields above are for display. */
  readonly otherProvider?: Readonly<Record<string, string>>;
}

/** Variables that the launcher sets per process. An outer value must not reach a process that does not need it. */
const DECIDED_HERE =
  /^KILN_(PORT|HOST|DATA_DIR|REPLICAS|DATABASE_CONNECTIONS|CONNECTIONS_OIDC_.*|(API|ENCRYPTION)_KEY(_FILE)?|ROLE|SCRATCH_DIR|HEALTH_.*|JWT_.*|REDIS_.*|STORAGE_(?!PUBLIC_ENDPOINT$).*|STORE_.*|TEST_.*)$/;
const OTHER_PROVIDER =
  /^(KILN_STORAGE_(PROVIDER|ENDPOINT|BUCKET|GCS_.*|AZURE_.*)|GOOGLE_APPLICATION_CREDENTIALS|AZURE_(CLIENT_ID|TENANT_ID|FEDERATED_TOKEN_FILE|AUTHORITY_HOST))$/;
const OWN_IDENTITY = /^(AWS_.*|KILN_CONNECTIONS_OIDC_.*)$/;
const INHERITED =
  /^(KILN_.*|OTEL_.*|PATH|HOME|LANG|LC_.*|TZ|TMPDIR|NODE_ENV|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(https?|no)_proxy)$/i;

export function readLauncherConfig(environment: Environment = process.env): LauncherConfig {
  const problems: string[] = [];
  const given = (name: string) => valueOf(name, environment, problems);
  const port = readPort(given('KILN_PORT'), problems);
  const apiKey = given('KILN_API_KEY');
  if (apiKey !== undefined && !/^kiln_live_[0-9A-Za-z]{43}$/.test(apiKey)) {
    problems.push('KILN_API_KEY must be kiln_live_ followed by 43 letters and digits');
  }
  const replicas = readNumber('KILN_REPLICAS', given, [1, 4], 1, problems);
  const config: LauncherConfig = {
    host: given('KILN_HOST') ?? '127.0.0.1',
    port,
    dataDirectory: resolve(repositoryDirectory, given('KILN_DATA_DIR') ?? '.kiln'),
    apiKey,
    encryptionKey: given('KILN_ENCRYPTION_KEY'),
    external: {
      databaseUrl: readUrl('DATABASE_URL', given, ['postgres:', 'postgresql:'], problems),
      natsUrl: readUrl('NATS_URL', given, ['nats:', 'tls:'], problems),
      redisUrl: readUrl('REDIS_URL', given, ['redis:', 'rediss:'], problems),
      storage: readOtherProvider(environment) ?? readStorage(given, problems),
    },
    replicas,
    databaseConnections: readNumber(
      'KILN_DATABASE_CONNECTIONS',
      given,
      [2, 200],
      Math.max(2, Math.floor(DEFAULT_CONNECTIONS / replicas)),
      problems,
    ),
    bearerTokens: variablesOf(environment, (name) => name.startsWith('KILN_JWT_')),
    redisSentinels: variablesOf(environment, (name) => name.startsWith('KILN_REDIS_')),
    ownIdentity: variablesOf(environment, (name) => OWN_IDENTITY.test(name)),
    inherited: variablesOf(environment, (name) => INHERITED.test(name) && !DECIDED_HERE.test(name)),
  };
  if (config.inherited['KILN_BUS_NAMESPACE'] !== undefined && config.external.natsUrl === undefined) {
    problems.push(
      'KILN_BUS_NAMESPACE needs NATS_URL: the NATS server that starts here has users for the namespace kiln',
    );
  }
  if (problems.length > 0) throw new LauncherError('config_invalid', `Cannot start:\n  ${problems.join('\n  ')}`);
  return config;
}

function valueOf(name: string, environment: Environment, problems: string[]): string | undefined {
  const value = environment[name] || undefined;
  const path = environment[`${name}_FILE`];
  if (!path) return value;
  if (value !== undefined) {
    problems.push(`${name} is set, and so is ${name}_FILE: remove one of them`);
    return value;
  }
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    problems.push(`${name}_FILE: the file cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return undefined;
  }
}

function variablesOf(environment: Environment, isWanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isWanted(entry[0]),
    ),
  );
}

type Given = (name: string) => string | undefined;

function readPort(text: string | undefined, problems: string[]): number {
  const port = Number(text ?? 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) problems.push('KILN_PORT must be a number from 0 to 65535');
  return port;
}

function readNumber(
  name: string,
  given: Given,
  [min, max]: readonly [number, number],
  byDefault: number,
  problems: string[],
): number {
  const number = Number(given(name) ?? byDefault);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  problems.push(`${name} must be a number from ${min} to ${max}`);
  return byDefault;
}

function readUrl(name: string, given: Given, protocols: readonly string[], problems: string[]): string | undefined {
  const url = given(name);
  if (url === undefined) return undefined;
  const isAddress = (address: string) => URL.canParse(address) && protocols.includes(new URL(address).protocol);
  const addresses = name === 'NATS_URL' ? url.split(',') : [url];
  if (!addresses.every(isAddress)) {
    problems.push(`${name} must be a URL beginning with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`);
  }
  return url;
}

/** Google Cloud Storage or Azure. The services validate these variables on start. */
function readOtherProvider(environment: Environment): ExternalStorage | undefined {
  const provider = environment['KILN_STORAGE_PROVIDER'] || 's3';
  if (provider === 's3') return undefined;
  const otherProvider = Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => Boolean(entry[1]) && OTHER_PROVIDER.test(entry[0]),
    ),
  );
  const { KILN_STORAGE_ENDPOINT: endpoint = provider, KILN_STORAGE_BUCKET: bucket = '' } = otherProvider;
  return { endpoint, bucket, region: '', accessKeyId: '', secretAccessKey: '', forcePathStyle: false, otherProvider };
}

function readStorage(given: Given, problems: string[]): ExternalStorage | undefined {
  const endpoint = readUrl('KILN_STORAGE_ENDPOINT', given, ['http:', 'https:'], problems);
  if (endpoint === undefined) return undefined;
  const required = (name: string) => {
    const value = given(name);
    if (value === undefined) problems.push(`${name} is required when KILN_STORAGE_ENDPOINT is set`);
    return value ?? '';
  };
  return {
    endpoint,
    region: given('KILN_STORAGE_REGION') ?? 'us-east-1',
    bucket: required('KILN_STORAGE_BUCKET'),
    accessKeyId: required('KILN_STORAGE_ACCESS_KEY_ID'),
    secretAccessKey: required('KILN_STORAGE_SECRET_ACCESS_KEY'),
    forcePathStyle: given('KILN_STORAGE_FORCE_PATH_STYLE') !== 'false',
  };
}

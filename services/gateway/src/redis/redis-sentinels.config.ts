// The variables of the connection to Redis. With sentinels, REDIS_URL provides the login, the database and the certificates, and its host is
// not used. Without the client, whose 650 modules an operator command should not load.
import { z } from 'zod';
import { redisUrlVariable } from './redis-address.config.js';

const DEFAULT_PORT = 26_379;
const ADDRESS = /^(\[[0-9a-f:]+\]|[^[\]:@/?#\s]+)(?::(\d{1,5}))?$/i;

export interface RedisNode {
  /** A name, or an address without brackets. */
  host: string;
  port: number;
}

export interface SentinelSettings {
  nodes: readonly RedisNode[];
  /** The name that the sentinels have for the master. */
  master: string;
  username: string | undefined;
  password: string | undefined;
}

export const redisVariables = {
  REDIS_URL: redisUrlVariable,
  /** `<host>:<port>,…`. They name the address of the master, and the gateway follows each failover. Default: none. */
  KILN_REDIS_SENTINELS: z.string().transform(nodesOf).optional(),
  KILN_REDIS_SENTINEL_NAME: z.string().optional(),
  /** The login at the sentinels themselves. Default: none. */
  KILN_REDIS_SENTINEL_USER: z.string().optional(),
  KILN_REDIS_SENTINEL_PASSWORD: z.string().optional(),
};

export type RedisConfig = Readonly<Partial<z.output<z.ZodObject<typeof redisVariables>>>>;

/** For `superRefine`. */
export function checkRedisVariables(given: RedisConfig, context: z.RefinementCtx): void {
  const complain = (name: keyof RedisConfig, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (given.KILN_REDIS_SENTINELS !== undefined && given.KILN_REDIS_SENTINEL_NAME === undefined) {
    complain('KILN_REDIS_SENTINEL_NAME', 'is required beside KILN_REDIS_SENTINELS');
  }
  for (const name of [
    'KILN_REDIS_SENTINEL_NAME',
    'KILN_REDIS_SENTINEL_USER',
    'KILN_REDIS_SENTINEL_PASSWORD',
  ] as const) {
    if (given[name] !== undefined && given.KILN_REDIS_SENTINELS === undefined) {
      complain(name, 'needs KILN_REDIS_SENTINELS');
    }
  }
  if (given.KILN_REDIS_SENTINEL_USER !== undefined && given.KILN_REDIS_SENTINEL_PASSWORD === undefined) {
    complain('KILN_REDIS_SENTINEL_USER', 'needs KILN_REDIS_SENTINEL_PASSWORD');
  }
}

/** Null if Redis has no sentinels. */
export function sentinelsOf(config: RedisConfig): SentinelSettings | null {
  const { KILN_REDIS_SENTINELS: nodes, KILN_REDIS_SENTINEL_NAME: master } = config;
  if (nodes === undefined || master === undefined) return null;
  return {
    nodes,
    master,
    username: config.KILN_REDIS_SENTINEL_USER,
    password: config.KILN_REDIS_SENTINEL_PASSWORD,
  };
}

/** The address of a server by a given address with its login, database and certificates. */
export function urlOf(url: string, { host, port }: RedisNode): string {
  const address = new URL(url);
  address.hostname = host.includes(':') ? `[${host}]` : host;
  address.port = String(port);
  return address.href;
}

function nodesOf(text: string, context: z.RefinementCtx): RedisNode[] {
  const nodes: RedisNode[] = [];
  for (const part of text.split(',')) {
    const [, host, port = DEFAULT_PORT] = ADDRESS.exec(part.trim()) ?? [];
    if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
      context.addIssue({ code: 'custom', message: 'must be <host>:<port>, separated by commas' });
      return z.NEVER;
    }
    nodes.push({ host: host.replace(/^\[|\]$/g, ''), port: Number(port) });
  }
  return nodes;
}

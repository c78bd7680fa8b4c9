/** The environment of an operator command: the caller's, and the addresses of the running system. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunJson } from '../launcher/run-json.js';
import { repositoryDirectory } from '../repository.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Adds the addresses of the running system to the environment of this process. */
export function useRunningSystem(): void {
  Object.assign(process.env, operatorEnvironment());
}

/** What the caller has set, as a value or by a file, is used in place of the address of the running system. */
export function operatorEnvironment(inherited: Environment = process.env): Record<string, string | undefined> {
  const isGiven = (name: string) => Boolean(inherited[name] || inherited[`${name}_FILE`]);
  const added = Object.entries(runningSystem(inherited)).filter(([name]) => !isGiven(name));
  return { ...inherited, ...Object.fromEntries(added) };
}

function runningSystem(inherited: Environment): Record<string, string> {
  const path = join(inherited['KILN_DATA_DIR'] ?? join(repositoryDirectory, '.kiln'), 'run.json');
  if (!existsSync(path)) return {};
  const run = JSON.parse(readFileSync(path, 'utf8')) as RunJson;
  return { NATS_URL: run.nats.url, DATABASE_URL: run.postgres.url, REDIS_URL: run.redis.url };
}

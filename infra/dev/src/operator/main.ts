/**
 * `pnpm kiln <command>`: operator commands. Each belongs to the package that owns what it changes; beside the system that
 * `npm start` runs, the addresses come from its run.json, elsewhere from the environment.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunJson } from '../launcher/run-json.js';
import { repositoryDirectory } from '../repository.js';
import { inheritedEnvironment, runJsonPath } from './config.js';

const commands: Readonly<Record<string, string>> = {
  'dead-letters': 'packages/platform/dist/cli/dead-letters.js',
  key: 'services/gateway/dist/cli/key.js',
  org: 'services/gateway/dist/cli/org.js',
};

function runningSystem(): Record<string, string> {
  const path = runJsonPath();
  if (!existsSync(path)) return {};
  const run = JSON.parse(readFileSync(path, 'utf8')) as RunJson;
  return { NATS_URL: run.nats.url, DATABASE_URL: run.postgres.url, REDIS_URL: run.redis.url };
}

const [name = '', ...words] = process.argv.slice(2);
const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (entry === undefined) {
  console.error(`usage: pnpm kiln <command> …\ncommands: ${Object.keys(commands).join(', ')}`);
  process.exit(1);
}
const { status } = spawnSync(process.execPath, [join(repositoryDirectory, entry), ...words], {
  stdio: 'inherit',
  env: { ...runningSystem(), ...inheritedEnvironment() },
});
process.exitCode = status ?? 1;

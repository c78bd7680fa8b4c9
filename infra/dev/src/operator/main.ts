/**
 * `npm run kiln -- <command>`: operator commands. Each belongs to the package that owns the data. With a system run by `npm start`, the
 * addresses come from its run.json, otherwise from the environment.
 */
import { spawnSync } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileCache, repositoryDirectory } from '../repository.js';
import { useRunningSystem } from './config.js';
import { wordsWithTenants } from './tenant-words.js';

const commands: Readonly<Record<string, string>> = {
  'dead-letters': 'packages/platform/dist/cli/dead-letters.js',
  events: 'packages/platform/dist/cli/events.js',
  jobs: 'services/jobs/dist/cli/jobs.command.js',
  models: 'packages/models/dist/models.command.js',
  key: 'services/gateway/dist/cli/key.command.js',
  org: 'services/gateway/dist/cli/org.command.js',
  rollups: 'services/analytics/dist/cli/rollups.command.js',
  'sign-in': 'services/gateway/dist/cli/sign-in.command.js',
  search: 'services/search/dist/cli/search.command.js',
};

const [name = '', ...words] = process.argv.slice(2);
const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (entry === undefined) {
  console.error(`usage: npm run kiln -- <command> …\ncommands: ${Object.keys(commands).join(', ')}`);
  process.exit(1);
}
useRunningSystem();
enableCompileCache(compileCache.NODE_COMPILE_CACHE);

/** The lines that `kiln org` prints. Exits with its message if it fails. */
function askOrg(...words: string[]): string[] {
  const org = join(repositoryDirectory, 'services/gateway/dist/cli/org.command.js');
  const asked = spawnSync(process.execPath, [org, ...words], { encoding: 'utf8', maxBuffer: Infinity });
  if (asked.status !== 0) {
    console.error(asked.stderr.trim());
    process.exit(1);
  }
  return asked.stdout.split('\n').filter((line) => line !== '');
}

// The command runs in this process: Node's start takes as long as most commands.
const path = join(repositoryDirectory, entry);
process.argv = [process.execPath, path, ...wordsWithTenants(name, words, askOrg)];
await import(pathToFileURL(path).href);

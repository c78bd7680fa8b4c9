// Runs `npm run kiln` like the operator of a launched system.
import { repositoryDirectory } from '@kiln/dev';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ENTRY = join(repositoryDirectory, 'infra/dev/dist/operator/main.js');
const TIMEOUT_MS = 60_000;

/** Returns the output of the command, and rejects if it fails. `dataDir` is the system's data directory. */
export async function kiln(dataDir: string, ...words: string[]): Promise<string> {
  const env = { ...process.env, KILN_DATA_DIR: dataDir };
  const { stdout } = await run(process.execPath, [ENTRY, ...words], { env, timeout: TIMEOUT_MS });
  return stdout;
}

/** Creates an organization and returns its id. */
export async function newOrganization(dataDir: string, plan: 'free' | 'enterprise'): Promise<string> {
  return found(/org_\w+/, await kiln(dataDir, 'org', 'create', '--name', 'Made by a test', '--plan', plan));
}

/** Creates an organization with a key that may do everything. Returns the organization's id and the key's value. */
export async function newOrganizationWithKey(
  dataDir: string,
  plan: 'free' | 'enterprise' = 'enterprise',
): Promise<{ organizationId: string; apiKey: string }> {
  const words = ['org', 'create', '--name', 'Made by a test', '--plan', plan, '--key', 'test'];
  const printed = await kiln(dataDir, ...words);
  return { organizationId: found(/org_\w+/, printed), apiKey: found(/kiln_live_\w+/, printed) };
}

/** Creates a key of the organization and returns its value. */
export async function newKey(dataDir: string, organizationId: string, mode: 'live' | 'test' = 'live'): Promise<string> {
  const words = ['key', 'create', '--org', organizationId, '--name', 'test', '--mode', mode];
  return found(/kiln_(live|test)_\w+/, await kiln(dataDir, ...words));
}

function found(pattern: RegExp, text: string): string {
  const [match] = pattern.exec(text) ?? [];
  if (match === undefined) throw new Error(`the command printed no ${pattern.source}: ${text}`);
  return match;
}

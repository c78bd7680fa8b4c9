// Another organization of a launched system: the live and the test tenant of one organization share its part of each process.
import { repositoryDirectory } from '@kiln/dev';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Creates an organization and returns the value of its first key. `dataDir` is the system's data directory. */
export async function keyOfOtherOrganization(dataDir: string): Promise<string> {
  const command = join(repositoryDirectory, 'infra/dev/dist/operator/main.js');
  const words = ['org', 'create', '--name', 'Other', '--plan', 'enterprise', '--key', 'bench'];
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...words], {
    env: { KILN_DATA_DIR: dataDir },
  });
  const [key] = /kiln_live_\w+/.exec(stdout) ?? [];
  if (key === undefined) throw new Error(`the command printed no key: ${stdout}`);
  return key;
}

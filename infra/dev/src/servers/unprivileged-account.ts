/**
 * Postgres refuses to run as root. Root starts it as the account `postgres`, or as `nobody` if that does not exist. Another user
 * starts it as itself.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** The account of Postgres. Undefined for the current user. An existing cluster keeps its owner. */
export function unprivilegedAccount(existingData?: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = existingData === undefined ? undefined : statSync(existingData, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return accountNamed('postgres') ?? accountNamed('nobody') ?? { uid: 65_534, gid: 65_534 };
}

/** Whether the account can read the path and its parent folders. Tested by access, not computed from permissions. */
export function canRead(account: Account, path: string): boolean {
  return spawnSync('test', ['-r', path], { ...account, cwd: '/', stdio: 'ignore' }).status === 0;
}

export function accountNamed(name: string): Account | undefined {
  try {
    const ask = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return undefined;
  }
}

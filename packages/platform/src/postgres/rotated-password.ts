// A password that changes while the process runs: whoever rotates it, or issues tokens in its place, replaces the file with the address.
import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/** Returns the password for a new connection. */
export type PasswordSource = () => Promise<string>;

/** The password of the address in a file, as it is now. If the file cannot be read, the last one. */
export function passwordIn(path: string, address: string): PasswordSource {
  let last = passwordOf(address);
  return async () => {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (URL.canParse(text.trim())) last = passwordOf(text.trim());
    return last;
  };
}

const passwordOf = (address: string) => decodeURIComponent(new URL(address).password);

/** The client asks the source when it connects. In the options of `pg`, the password of the address would have precedence. */
export function usePassword(client: pg.Client, source: PasswordSource | undefined): void {
  if (source) Object.assign(client, { password: source });
}

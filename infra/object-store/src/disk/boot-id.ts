// Which start of the machine this is: what was written without being synced can be relied on until the next one.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

let known: Promise<string> | undefined;

/** Where the system has no name for it, one of this process, so that nothing unsynced outlives the process. */
export function bootId(): Promise<string> {
  known ??= readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => randomUUID(),
  );
  return known;
}

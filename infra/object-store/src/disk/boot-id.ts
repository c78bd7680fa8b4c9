// Identifies the current boot of the machine. Data that was written but not synced is reliable until the next boot.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

let known: Promise<string> | undefined;

/** Without an id from the system, a random id of this process is used: unsynced data then counts only until the process ends. */
export function bootId(): Promise<string> {
  known ??= readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (text) => text.trim(),
    () => randomUUID(),
  );
  return known;
}

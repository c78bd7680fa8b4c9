import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file atomically, readable by its owner only. */
export function replaceFile(path: string, text: string, mode = 0o600): void {
  const temporaryPath = `${path}.${process.pid}.tmp`;
  writeFileSync(temporaryPath, text, { mode });
  renameSync(temporaryPath, path);
}

import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file readable by its owner only, so that a reader sees the old or the new text and never a half of one. */
export function replaceFile(path: string, text: string, mode = 0o600): void {
  const temporaryPath = `${path}.${process.pid}.tmp`;
  writeFileSync(temporaryPath, text, { mode });
  renameSync(temporaryPath, path);
}

import { delimiter } from 'node:path';

/** The folders of PATH, in order. */
export function searchPath(): string[] {
  return (process.env['PATH'] ?? '/usr/bin:/bin').split(delimiter).filter((folder) => folder !== '');
}

/** The two facts about the machine the server starters read from the environment. */
import { delimiter } from 'node:path';

/** Folders of PATH, in order. */
export function searchPath(): string[] {
  return (process.env['PATH'] ?? '/usr/bin:/bin').split(delimiter).filter((folder) => folder !== '');
}

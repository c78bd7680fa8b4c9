import { repositoryDirectory } from '@kiln/dev';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Reads a compose file with its merged maps. They have more aliases than the parser accepts of a stranger's file. */
export const readCompose = (path: string): unknown =>
  parse(readFileSync(join(repositoryDirectory, path), 'utf8'), { merge: true, maxAliasCount: -1 });

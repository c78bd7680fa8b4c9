// A released migration has run in databases of others, so it keeps its form: a change is a new migration. `released.json` beside the migrations
// records the form of each as of the last release.
import { repositoryDirectory } from '@kiln/dev';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface Released {
  /** The release that recorded the checksums: `0.2.0`. */
  version: string;
  /** By the names of the migrations. */
  checksums: Record<string, string>;
}

/** `folder` contains the compiled migrations; `statements` has the SQL of each migration by its name. Returns one line per problem. */
export function releaseProblems(folder: URL, statements: ReadonlyMap<string, readonly string[]>): string[] {
  const file = fileURLToPath(folder).replace('/dist/', '/src/') + 'released.json';
  const released = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Released) : null;
  const present = Object.fromEntries([...statements].map(([name, sql]) => [name, checksumOf(sql)]));
  const changed = Object.entries(released?.checksums ?? {}).flatMap(([name, checksum]) =>
    present[name] === checksum
      ? []
      : [`${name} is released and no longer has its form: restore it, and add a new migration`],
  );
  const version = releaseOfRepository();
  if (released?.version === version || changed.length > 0) return changed;
  return [`the migrations of release ${version} are not recorded: write ${recordOf(version, present)} to ${file}`];
}

const recordOf = (version: string, checksums: Record<string, string>) => JSON.stringify({ version, checksums });

function releaseOfRepository(): string {
  return (JSON.parse(readFileSync(`${repositoryDirectory}/package.json`, 'utf8')) as { version: string }).version;
}

/** White space does not count. */
function checksumOf(statements: readonly string[]): string {
  const hash = createHash('sha256');
  for (const sql of statements) hash.update(`${sql.replaceAll(/\s+/g, ' ').trim()}\0`);
  return hash.digest('hex').slice(0, 16);
}

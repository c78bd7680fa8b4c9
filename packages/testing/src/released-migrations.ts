// A released migration has run in databases of others, so it keeps its form: a change is a new migration. `released.json` beside the migrations
// records the form of each as of the last version of the service.
import { existsSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { fileURLToPath } from 'node:url';

interface Released {
  /** The version of the service that recorded the checksums: `0.2.0`. */
  version: string;
  /** By the names of the migrations. They are those that databases record. */
  checksums: Record<string, string>;
}

/** `folder` contains the compiled migrations; `present` has their checksums by their names. Returns one line per problem. */
export function releaseProblems(folder: URL, present: ReadonlyMap<string, string>): string[] {
  const file = fileURLToPath(folder).replace(/\/dist\/(?!.*\/dist\/)/, '/src/') + 'released.json';
  const released = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Released) : null;
  const changed = Object.entries(released?.checksums ?? {}).flatMap(([name, checksum]) =>
    present.get(name) === checksum
      ? []
      : [`${name} is released and no longer has its form: restore it, and add a new migration`],
  );
  const version = versionOf(folder);
  if (released?.version === version || changed.length > 0) return changed;
  return [
    `the migrations of version ${version} are not recorded: write ${JSON.stringify({ version, checksums: Object.fromEntries(present) })} to ${file}`,
  ];
}

/** The version of the package that contains the folder. */
function versionOf(folder: URL): string {
  const manifest = findPackageJSON(folder);
  if (!manifest) throw new Error(`${folder.href} belongs to no package`);
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

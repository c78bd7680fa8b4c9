// Only the gateway knows organizations. The commands of the other services know their tenants.

/** Runs `kiln org` with these words, and returns the lines that it prints. */
export type AskOrg = (...words: string[]) => string[];

const takesTenants = new Set(['jobs', 'rollups', 'search']);

/** The words of a command with its tenants in place of `--org`, or of the `--all` of `kiln search`. */
export function wordsWithTenants(command: string, given: readonly string[], ask: AskOrg): string[] {
  if (!takesTenants.has(command)) return [...given];
  const words = given.flatMap((word) => (word.startsWith('--org=') ? ['--org', word.slice('--org='.length)] : word));
  const tenantsOf = (organization: string) =>
    ask('tenants', '--org', organization).flatMap((line) => ['--tenant', line.split(/\s+/)[1] ?? '']);
  const at = words.indexOf('--org');
  if (at >= 0) return words.toSpliced(at, 2, ...tenantsOf(words[at + 1] ?? ''));
  const all = command === 'search' ? words.indexOf('--all') : -1;
  if (all < 0) return words;
  const organizations = ask('list').map((line) => line.split(/\s+/)[0] ?? '');
  return words.toSpliced(all, 1, ...organizations.flatMap(tenantsOf));
}

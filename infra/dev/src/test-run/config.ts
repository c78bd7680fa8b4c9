import { randomInt } from 'node:crypto';

/** The environment of all processes of a test run: the current one without variables that point to real servers. */
export function cleanEnvironment(): Record<string, string> {
  const foreign = /^(KILN_.*|DATABASE_URL|NATS_URL|REDIS_URL|NODE_OPTIONS)$/;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !foreign.test(entry[0]),
    ),
  );
}

/** The steps named on the command line. None means all. */
export function stepsAskedFor(): string[] {
  return process.argv.slice(2);
}

/** The file for the results of each spec file. Undefined if Jest was started directly. */
export function resultsFile(): string | undefined {
  return process.env['KILN_TEST_RESULTS'];
}

/** The seed of the stress specs: that of an earlier run, or a new one. */
export function stressSeed(): string {
  return process.env['KILN_TEST_SEED'] ?? String(randomInt(2 ** 31));
}

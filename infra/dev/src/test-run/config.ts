/** The environment of everything a test run starts: ours, without what would point it at somebody's real servers. */
export function cleanEnvironment(): Record<string, string> {
  const foreign = /^(KILN_.*|DATABASE_URL|NATS_URL|REDIS_URL|NODE_TEST_CONTEXT|NODE_OPTIONS)$/;
  return Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !foreign.test(entry[0]),
    ),
  );
}

/** Steps named on the command line, after `test`; none means all. */
export function stepsAskedFor(): string[] {
  return process.argv.slice(3);
}

// Configuration is read once, in main, from the environment. It is frozen and passed down. All problems are reported together. Instead of
// a value, each variable may have a file that contains it: `<NAME>_FILE` is the path, as of a mounted secret.
import { problemsOf } from '@kiln/contracts';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

/**
 * Returns the configuration, or throws one error that lists every wrong or missing variable, without their values (they may be
 * secret).
 */
export function loadConfig<Shape extends z.ZodObject>(
  schema: Shape,
  environment: Record<string, string | undefined>,
): Readonly<z.output<Shape>> {
  const problems: string[] = [];
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = read(name, environment, problems);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  if (given['KILN_UNKNOWN_SETTINGS'] === 'refuse')
    problems.push(...unknownSettings(Object.keys(schema.shape), environment));
  const result = schema.safeParse(given);
  if (!result.success) problems.push(...problemsOf(result.error));
  else if (problems.length === 0) return Object.freeze(result.data);
  throw new Error(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
}

/** The value of a variable, or the content of its file without the last line break. An empty one counts as missing. */
function read(name: string, environment: Record<string, string | undefined>, problems: string[]): string | undefined {
  const value = environment[name] || undefined;
  const path = environment[`${name}_FILE`] || undefined;
  if (path === undefined) return value;
  if (value !== undefined) {
    problems.push(`${name}: is set, and so is ${name}_FILE; remove one of them`);
    return value;
  }
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '') || undefined;
  } catch (error) {
    const { code = 'an error' } = error as NodeJS.ErrnoException;
    problems.push(`${name}_FILE: the file cannot be read (${code})`);
    return undefined;
  }
}

/** A misspelled setting would have no effect, and its default would apply. */
function unknownSettings(known: readonly string[], environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('KILN_') && !known.includes(name.replace(/_FILE$/, '')))
    .map((name) => `${name}: is not a setting of this process; correct its name or remove it`);
}

export const booleanVariable = z.enum(['true', 'false']).transform((value) => value === 'true');
/** 0: the system chooses a free port, which `announcePort` reports. */
export const portVariable = z.coerce.number().int().min(0).max(65_535);

/** Variables of every process. */
export const healthVariables = {
  KILN_HEALTH_HOST: z.string().default('127.0.0.1'),
  KILN_HEALTH_PORT: portVariable,
  KILN_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info'),
  /**
   * `refuse`: does not start if a variable whose name starts with KILN_ is not one of this process. For containers, whose environment
   * is written for one process.
   */
  KILN_UNKNOWN_SETTINGS: z.enum(['ignore', 'refuse']).default('ignore'),
};

/** Variables of a process on the bus. */
export const processVariables = {
  ...healthVariables,
  KILN_ROLE: z.enum(['api', 'worker', 'all']).default('all'),
  NATS_URL: z.string().regex(/^(nats|tls):\/\//, { error: 'must be a nats:// or tls:// address' }),
  /** Copies of each stream: 1 on a single broker, 3 on a cluster. */
  KILN_BUS_REPLICAS: z.coerce.number().int().min(1).max(5).default(1),
  KILN_BUS_NAMESPACE: z
    .string()
    .regex(/^[a-z][a-z0-9]*$/)
    .default('kiln'),
};

/** Variables of a process with a schema of its own. */
export const databaseVariables = {
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, { error: 'must be a postgres:// address' }),
  /** The password in this file is read again for each connection, so that it can be rotated. */
  DATABASE_URL_FILE: z.string().optional(),
  KILN_DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(10),
  KILN_DATABASE_STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(100).default(10_000),
  /** `transaction`: DATABASE_URL is that of a pooler in transaction mode, such as PgBouncer or RDS Proxy. */
  KILN_DATABASE_POOLER: z.enum(['none', 'transaction']).default('none'),
};

/** One shape for every process, so that the platform can read it. */
export type HealthConfig = Readonly<z.output<z.ZodObject<typeof healthVariables>>>;
export type ProcessConfig = Readonly<z.output<z.ZodObject<typeof processVariables>>>;
export type DatabaseConfig = Readonly<z.output<z.ZodObject<typeof databaseVariables>>>;

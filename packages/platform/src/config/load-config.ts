// Configuration is read once, in main, from the environment. It is frozen and passed down. All problems are reported together.
import { problemsOf } from '@kiln/contracts';
import { z } from 'zod';

/**
 * Returns the configuration, or throws one error that lists every wrong or missing variable, without their values (they may be
 * secret).
 */
export function loadConfig<Shape extends z.ZodObject>(
  schema: Shape,
  environment: Record<string, string | undefined>,
): Readonly<z.output<Shape>> {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  if (result.success) return Object.freeze(result.data);
  const problems = problemsOf(result.error).map((problem) => `  ${problem}`);
  throw new Error(`The configuration is not valid:\n${problems.join('\n')}`);
}

export const booleanVariable = z.enum(['true', 'false']).transform((value) => value === 'true');
/** 0: the system chooses a free port, which `announcePort` reports. */
export const portVariable = z.coerce.number().int().min(0).max(65_535);

/** Variables of every process. */
export const healthVariables = {
  KILN_HEALTH_HOST: z.string().default('127.0.0.1'),
  KILN_HEALTH_PORT: portVariable,
  KILN_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error']).default('info'),
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
  KILN_DATABASE_CONNECTIONS: z.coerce.number().int().min(2).max(200).default(10),
  KILN_DATABASE_STATEMENT_TIMEOUT_MS: z.coerce.number().int().min(100).default(10_000),
};

/** One shape for every process, so that the platform can read it. */
export type HealthConfig = Readonly<z.output<z.ZodObject<typeof healthVariables>>>;
export type ProcessConfig = Readonly<z.output<z.ZodObject<typeof processVariables>>>;
export type DatabaseConfig = Readonly<z.output<z.ZodObject<typeof databaseVariables>>>;

import { z } from 'zod';
import { databaseVariables, loadConfig } from './load-config.js';

const variables = z.object({
  /** A user that may create roles and schemas. The users of the services need fewer privileges. */
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, { error: 'must be a postgres:// address' }),
  /** Behind a pooler, the role by which the service logs in. */
  KILN_DATABASE_LOGIN: z.string().min(1).max(63).optional(),
  KILN_DATABASE_STATEMENT_TIMEOUT_MS: databaseVariables.KILN_DATABASE_STATEMENT_TIMEOUT_MS,
});

export type MigrateConfig = Readonly<z.output<typeof variables>>;

export const loadMigrateConfig = (environment: Record<string, string | undefined> = process.env): MigrateConfig =>
  loadConfig(variables, environment);

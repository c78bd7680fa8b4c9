import { z } from 'zod';
import { loadConfig } from './load-config.js';

const variables = z.object({
  /** A user that may create roles and schemas. The users of the services need fewer privileges. */
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, { error: 'must be a postgres:// address' }),
});

export type MigrateConfig = Readonly<z.output<typeof variables>>;

export const loadMigrateConfig = (environment: Record<string, string | undefined> = process.env): MigrateConfig =>
  loadConfig(variables, environment);

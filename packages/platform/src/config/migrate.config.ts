import { z } from 'zod';
import { loadConfig } from './load-config.js';

const variables = z.object({
  /** A user that may create roles and schemas; the services' own users need less. */
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, { error: 'must be a postgres:// address' }),
});

export type MigrateConfig = Readonly<z.output<typeof variables>>;

export const loadMigrateConfig = (environment: Record<string, string | undefined> = process.env): MigrateConfig =>
  loadConfig(variables, environment);

// The configuration of operator commands: the database for reading, the bus for changes.
import { databaseVariables, loadConfig, processVariables } from '@kiln/platform';
import { z } from 'zod';

const { DATABASE_URL, KILN_DATABASE_STATEMENT_TIMEOUT_MS, KILN_DATABASE_POOLER } = databaseVariables;
const { NATS_URL, KILN_BUS_NAMESPACE, KILN_LOG_LEVEL } = processVariables;

export const loadCliConfig = () =>
  loadConfig(
    z.object({
      DATABASE_URL,
      KILN_DATABASE_STATEMENT_TIMEOUT_MS,
      KILN_DATABASE_POOLER,
      NATS_URL,
      KILN_BUS_NAMESPACE,
      KILN_LOG_LEVEL,
    }),
    process.env,
  );

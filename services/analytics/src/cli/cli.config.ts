// The configuration of `kiln rollups`.
import { databaseVariables, loadConfig } from '@kiln/platform';
import { z } from 'zod';

const { DATABASE_URL, KILN_DATABASE_STATEMENT_TIMEOUT_MS } = databaseVariables;

export const loadCliConfig = () =>
  loadConfig(z.object({ DATABASE_URL, KILN_DATABASE_STATEMENT_TIMEOUT_MS }), process.env);

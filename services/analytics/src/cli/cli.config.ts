// The configuration of `kiln rollups`.
import { databaseVariables, loadConfig } from '@kiln/platform';
import { z } from 'zod';

const { DATABASE_URL } = databaseVariables;

export const loadCliConfig = () => loadConfig(z.object({ DATABASE_URL }), process.env);

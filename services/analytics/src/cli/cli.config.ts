// The configuration of `kiln rollups`.
import { databaseVariables, loadConfig } from '@kiln/platform';
import { z } from 'zod';

const { DATABASE_URL, KILN_DATABASE_POOLER } = databaseVariables;

export const loadCliConfig = () => loadConfig(z.object({ DATABASE_URL, KILN_DATABASE_POOLER }), process.env);

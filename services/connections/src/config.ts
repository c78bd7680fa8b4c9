import { databaseVariables, loadConfig, processVariables } from '@kiln/platform';
import { z } from 'zod';

const variables = z.object({ ...processVariables, ...databaseVariables });

export type ConnectionsConfig = Readonly<z.output<typeof variables>>;

export const loadConnectionsConfig = (): ConnectionsConfig => loadConfig(variables, process.env);
